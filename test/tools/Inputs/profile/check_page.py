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

def look(path: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=5000",
         "--allow-file-access-from-files", "--window-size=1366,768", "--dump-dom", "file://" + path],
        capture_output=True, text=True, timeout=120)


shown = look(sys.argv[1])
complaints = [line for line in shown.stderr.splitlines() if "CONSOLE" in line]
assert not complaints, complaints
assert 'data-ready="true"' in shown.stdout, "the script did not get to its end"
assert shown.stdout.count("<svg") >= sum(len(profile["accesses"]) for profile in data["profiles"])
# Traffic and roofline of each kernel, and where there are some the partitions.
charts = {profile["kernel"]: 1 + bool(profile["roofline"] and profile["roofline"]["operations_per_byte"]) +
          any(access.get("partition_sectors") for access in profile["accesses"]) for profile in data["profiles"]}
assert shown.stdout.count("<canvas") == sum(charts.values()), charts
# On a phone nothing reaches over the edge. A browser's own window is never that narrow.
PHONE = 360
frame = sys.argv[1] + ".frame.html"
with open(frame, "w", encoding="utf-8") as file:
    file.write(f"""<iframe src="{sys.argv[1]}" width="{PHONE}" height="2000"></iframe><script>
const frame = document.querySelector('iframe');
frame.onload = () => setTimeout(() => document.body.dataset.width = frame.contentDocument.documentElement.scrollWidth, 1000);
</script>""")
width = re.search(r'data-width="(\d+)"', look(frame).stdout)
assert width and int(width.group(1)) <= PHONE, width
print("page: drawn in a browser")
