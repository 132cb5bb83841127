"""Looks at a page of `gpuopt profile --html`: it needs no network, its data are
whole and, where a browser is found, it draws without a complaint."""
import json
import re
import shutil
import subprocess
import sys

text = open(sys.argv[1], encoding="utf-8").read()
assert not re.search(r"""(src|href)\s*=\s*["']?https?:""", text), "it loads something"
assert re.search(r"@media \(max-width: \d+px\)[^@]*grid-template-columns: minmax\(0, 1fr\)", text), "two columns on a phone"
data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
for profile in data["profiles"]:
    sampled = [access["sample_request"]["lanes"] for access in profile["accesses"]]
    assert all(sampled), "an access without a request to draw"
    print(profile["kernel"], profile["version"], len(sampled), "accesses drawn")
    camping = sum(bool(access.get("partition_sectors")) for access in profile["accesses"])
    if camping:
        print("partitions of", camping, "accesses")
print("steps:", ", ".join(sorted({step["outcome"] for steps in data["steps"].values() for step in steps})))

browser = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
if not browser:
    print("page: not looked at, there is no browser")
    sys.exit()
shown = subprocess.run(
    [browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=5000",
     "--window-size=1366,768", "--dump-dom", "file://" + sys.argv[1]], capture_output=True, text=True, timeout=120)
complaints = [line for line in shown.stderr.splitlines() if "CONSOLE" in line]
assert not complaints, complaints
assert 'data-ready="true"' in shown.stdout, "the script did not get to its end"
assert shown.stdout.count("<svg") >= sum(len(profile["accesses"]) for profile in data["profiles"])
# Traffic and roofline of each kernel, and where there are some the partitions.
charts = {profile["kernel"]: 1 + bool(profile["roofline"] and profile["roofline"]["operations_per_byte"]) +
          any(access.get("partition_sectors") for access in profile["accesses"]) for profile in data["profiles"]}
assert shown.stdout.count("<canvas") == sum(charts.values()), charts
print("page: drawn in a browser")
