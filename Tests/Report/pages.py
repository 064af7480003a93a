"""Opens pages in a headless Chromium and says what is wrong with them.

    pages.py [--pictures DIRECTORY] FILE...

Each is opened as a telephone, as a wide screen, in light and in dark, and as paper. Wrong is: an error or a
request of the page's, something wider than the page, a picture without words, a table's cell without a
heading, and text that is hard to tell from what is behind it. Exits 1 if anything is, and 2 without a browser.
"""

import argparse
import pathlib
import sys

try:
    from playwright.sync_api import Error, sync_playwright
except ImportError:
    sys.exit(2)

CHROMIUM = "/usr/bin/chromium"
WIDTHS = (380, 1400)

# Everything that is wrong with how a page looks, as a list of sentences.
FAULTS = """() => {
  const faults = [];
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) faults.push(`the page is ${page.scrollWidth} wide in ${innerWidth}`);
  for (const element of document.body.querySelectorAll('*')) {
    const box = element.getBoundingClientRect();
    const name = `${element.tagName.toLowerCase()} '${element.textContent.trim().slice(0, 40)}'`;
    if (box.width > 0 && (box.right > innerWidth + 0.5 || box.left < -0.5)) faults.push(`${name} sticks out`);
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
        && getComputedStyle(element).display !== 'inline') faults.push(`${name} overflows`);
    const isPicture = ['svg', 'img'].includes(element.tagName.toLowerCase())
      || element.getAttribute('role') === 'img';
    if (isPicture && !element.getAttribute('aria-label')) faults.push(`${name} has no label`);
    if (['H1', 'H2', 'H3', 'LI', 'P', 'TD', 'FIGCAPTION'].includes(element.tagName)
        && !element.textContent.trim()) faults.push(`an empty ${element.tagName.toLowerCase()}`);
    if (element.tagName === 'TD' && !element.closest('tr').querySelector('th')) faults.push(`${name} has no heading`);
  }
  const parse = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = light(parse(getComputedStyle(document.body).backgroundColor));
  for (const element of document.body.querySelectorAll('h1, h2, h3, p, li, th, td, span, figcaption')) {
    const ink = light(parse(getComputedStyle(element).color));
    const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (contrast < 4.5) faults.push(`'${element.textContent.trim().slice(0, 40)}' has a contrast of ${contrast.toFixed(1)}`);
  }
  return faults;
}"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        try:
            # The pages are ours, and the tests may run as root.
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        except Error as error:
            print(error, file=sys.stderr)
            return 2
        faults = [fault for file in arguments.files for fault in check(browser, file, arguments.pictures)]
        browser.close()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def check(browser, file, pictures):
    looks = [(width, "screen", scheme) for width in WIDTHS for scheme in ("light", "dark")]
    for width, medium, scheme in looks + [(794, "print", "light"), (794, "print", "dark")]:
        look = f"{file.name} as {medium}, {scheme}, {width} wide"
        page = browser.new_page(viewport={"width": width, "height": 1000}, color_scheme=scheme)
        page.emulate_media(media=medium)
        said = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: said.append(f"asks for {request.url}"))
        page.goto(file.resolve().as_uri())
        # The page itself is the one thing that it may ask for.
        yield from (f"{look}: {word}" for word in said if word != f"asks for {file.resolve().as_uri()}")
        yield from (f"{look}: {fault}" for fault in page.evaluate(FAULTS))
        if pictures:
            name = f"{file.stem}-{medium}-{scheme}-{width}.png"
            page.screenshot(path=pictures / name, full_page=True)
        page.close()


sys.exit(main())
