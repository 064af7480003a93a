/// The style sheet of a policy's report: one column on a telephone, on a screen and on paper, in light
/// and in dark.
enum ReportStyle {
  static let sheet = """
    :root { color-scheme: light dark; --ink: #1b1f24; --page: #ffffff; --quiet: #59636e;
      --line: #d1d9e0; --fill: #eef1f4; --mark: #0a5cb8; --good: #1a6f33; --bad: #b3261e; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e6eaef; --page: #14181d; --quiet: #9aa5b1; --line: #39424c; --fill: #20262d;
        --mark: #6cb2ff; --good: #62c67d; --bad: #ff8a80; }
    }
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 80rem; color: var(--ink);
      background: var(--page); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
    main { max-width: 46rem; margin: 0 auto; }
    main.wide { max-width: none; }
    h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
    h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
    h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
    p, ul, dl { margin: .5rem 0; }
    ul { padding-left: 1.2rem; }
    li { margin: .25rem 0; }
    dt { font-weight: 600; }
    dd { margin: 0 0 .5rem 1.2rem; }
    .quiet, figcaption, caption { color: var(--quiet); font-size: .9rem; }
    figure { margin: 1rem 0; }
    svg { display: block; width: 100%; height: 11rem; background: var(--fill); }
    svg path { fill: none; stroke: var(--mark); stroke-width: 2; vector-effect: non-scaling-stroke; }
    svg line { stroke: var(--line); vector-effect: non-scaling-stroke; }
    .axis { display: flex; justify-content: space-between; }
    .bar { position: relative; background: var(--fill); height: .7rem; margin: .15rem 0 .75rem; }
    .bar div { background: var(--mark); height: 100%; min-width: 1px; }
    .bar::after { content: ""; position: absolute; inset: 0; background: repeating-linear-gradient(
      to right, transparent 0 calc(100% / 9 - 1px), var(--quiet) calc(100% / 9 - 1px) calc(100% / 9)); }
    .met { color: var(--good); font-weight: 600; }
    .failed { color: var(--bad); font-weight: 600; }
    .unknown, .notAssessed { color: var(--quiet); font-weight: 600; }
    table { width: 100%; border-collapse: collapse; table-layout: fixed; }
    th, td { text-align: left; vertical-align: top; padding: .4rem .5rem .4rem 0;
      border-top: 1px solid var(--line); font-weight: normal; }
    thead th { font-weight: 600; border-top: 0; }
    tbody th { color: var(--quiet); }
    @media (max-width: 40rem) {
      .side thead { display: none; }
      .side, .side tbody, .side tr, .side th, .side td { display: block; border: 0; padding: 0; }
      .side tr { border-top: 1px solid var(--line); padding: .5rem 0; }
      .side td::before { content: attr(data-policy) ": "; font-weight: 600; }
    }
    @media print {
      :root { color-scheme: light; --ink: #000; --page: #fff; --quiet: #444; --line: #999;
        --fill: #eee; --mark: #0a4a94; --good: #14532d; --bad: #8b1a14; }
      body, main { max-width: none; padding: 0; font-size: 10.5pt; }
      h2, h3, dt { break-after: avoid; }
      figure, tr, li, dd { break-inside: avoid; }
      .bar, .bar div, .bar::after, svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }

    """
}
