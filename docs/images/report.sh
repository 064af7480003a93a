#!/bin/sh
# Draws the pages of `authctl policy report` that the documents show, whole, as Chromium shows them: report.sh BIN
set -eu

authctl=${1:?usage: report.sh BIN}/authctl
images=$(cd "$(dirname "$0")" && pwd)
python=$images/../../.build/python/bin/python
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT

"$authctl" --quiet policy report device-owner --out "$pages/device-owner.html"
"$authctl" --quiet policy report work-laptop --sensor nist --out "$pages/work-laptop.html"
"$authctl" --quiet policy report device-owner work-laptop biometrics-and-passcode --compare \
  --out "$pages/side-by-side.html"
"$python" "$images/../../Tests/Report/pages.py" --pictures "$pages" "$pages"/*.html
cp "$pages/device-owner-screen-light-1400.png" "$images/report-device-owner.png"
cp "$pages/work-laptop-screen-dark-380.png" "$images/report-work-laptop.png"
cp "$pages/side-by-side-screen-light-1400.png" "$images/report-side-by-side.png"
