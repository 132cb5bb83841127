'use strict';
// Fills the page from the JSON in #data: {source, target, profiles, steps}, of a
// program with {sources}, by kernel.
const data = JSON.parse(document.getElementById('data').textContent);
const target = data.target;
const versionText = { as_written: 'as written', optimized: 'optimized' };
const versionClass = { as_written: 'before', optimized: 'after' };
const versionColor = { as_written: '#c2410c', optimized: '#1d6fb8' };

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.map(child => child instanceof Node ? child : String(child)));
  return node;
}

function drawn(tag, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function number(value, digits = 2) {
  if (value === null || value === undefined) return '–';
  return Number(value).toLocaleString('en', { maximumFractionDigits: digits });
}

const linesOf = kernel => (data.sources ? data.sources[kernel] : data.source).lines;

function bytes(value) {
  if (value === null || value === undefined) return '–';
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  return number(value) + ' ' + units[unit];
}

const plural = (count, one) => `${number(count)} ${one}${count === 1 ? '' : 's'}`;

// 1, 2 and 5 times powers of ten.
const isRound = value => {
  const mantissa = value / 10 ** Math.floor(Math.log10(value * (1 + 1e-9)));
  return [1, 2, 5].some(step => Math.abs(mantissa - step) < 1e-6);
};
const logTicks = { autoSkip: false, maxRotation: 0, callback: value => isRound(value) ? number(value, 6) : '' };

const percent = share => number(100 * share, 1) + '%';

function range(distances) {
  if (!distances) return '–';
  return distances.min === distances.max ? String(distances.min)
    : `${distances.min} / ${number(distances.average)} / ${distances.max}`;
}

function lineOf(location) {
  const match = /:(\d+):(\d+)$/.exec(location);
  return match ? Number(match[1]) : 0;
}

const placeOf = location => (/:(\d+:\d+)$/.exec(location) || [, location])[1];

function tableOf(head, rows, attributes = {}) {
  const table = element('table', attributes);
  table.append(element('tr', {}, ...head.map(text => element('th', {}, text))));
  for (const row of rows) table.append(element('tr', {}, ...row.map(cell => element('td', {}, cell))));
  return table;
}

// The kernel as a whole, one column for each version.
function summary(versions) {
  const sum = (profile, value) => profile.accesses.reduce((total, access) => total + (value(access) || 0), 0);
  const rows = [
    ['grid × block', profile => profile.grid.join('×') + ' of ' + profile.block.join('×')],
    ['blocks run', profile => profile.exact ? 'all' : `${profile.blocks_run} of ${profile.blocks}`],
    ['requests to global memory', profile => number(sum(profile, a => a.space === 'global' ? a.requests : 0))],
    ['sectors', profile => number(profile.global_sectors)],
    ['used of the bytes moved', profile => percent(sum(profile, a => a.bytes_used) / (sum(profile, a => a.bytes_moved) || 1))],
    ['wavefronts of workgroup memory', profile =>
      number(sum(profile, a => a.wavefronts_per_request * a.requests), 0)],
    ['DRAM traffic (model)', profile => bytes(profile.dram && profile.dram.read_bytes + profile.dram.written_bytes)],
    ['compulsory', profile => bytes(profile.dram && profile.dram.compulsory_bytes)],
    ['floating-point operations', profile => number(Object.values(profile.operations).reduce((a, b) => a + b, 0))],
    ['operations per byte of DRAM', profile => number(profile.roofline && profile.roofline.operations_per_byte)],
    ['bound by', profile => profile.roofline ? profile.roofline.bound : '–'],
    ['at best, Gflop/s', profile => number(profile.roofline && profile.roofline.attainable_gflops)],
    ['barriers per block', profile => number(profile.barriers_per_block)],
    ['workgroup memory in use, of a block’s life', profile =>
      profile.workgroup_use === null || profile.workgroup_use === undefined ? '–' : percent(profile.workgroup_use)],
    ['divergent branches', profile => number(profile.branches.reduce((n, b) => n + b.divergent, 0)) + ' of ' +
      number(profile.branches.reduce((n, b) => n + b.executions, 0))]];
  return tableOf(['', ...versions.map(v => versionText[v.version])],
    rows.map(([name, value]) => [name, ...versions.map(value)]));
}

// Paper has another width than the screen.
const charts = [];
addEventListener('beforeprint', () => charts.forEach(chart => chart.resize(330, 200)));
addEventListener('afterprint', () => charts.forEach(chart => chart.resize()));

const chartOptions = { animation: false, responsive: true, maintainAspectRatio: false };

function chartBox(parent) {
  const canvas = element('canvas', { role: 'img' });
  parent.append(element('div', { class: 'chart' }, canvas));
  return canvas;
}

function roofline(parent, versions) {
  const points = versions.filter(v => v.roofline && v.roofline.operations_per_byte > 0);
  if (!points.length) {
    parent.append(element('p', { class: 'note' }, versions.some(v => v.dram)
      ? 'No roofline: the kernel does no floating-point arithmetic.'
      : 'No roofline: DRAM traffic is not modelled on a sample of the blocks.'));
    return;
  }
  const peak = points[0].roofline.ridge_operations_per_byte * target.bandwidth_gbps;
  const all = points.map(v => v.roofline.operations_per_byte).concat(points[0].roofline.ridge_operations_per_byte);
  const low = Math.min(...all) / 4, high = Math.max(...all) * 4;
  const ridge = points[0].roofline.ridge_operations_per_byte;
  const roof = [{ x: low, y: low * target.bandwidth_gbps }, { x: ridge, y: peak }, { x: high, y: peak }];
  charts.push(new Chart(chartBox(parent), {
    type: 'scatter',
    data: { datasets: [
      { label: `roof of ${target.name}`, data: roof, showLine: true, borderColor: '#1c2330', pointStyle: 'line', pointRadius: 0,
        borderWidth: 2 },
      // Both may lie at the same place: one is hollow and larger.
      ...points.map(v => ({ label: versionText[v.version], borderColor: versionColor[v.version],
        ...(v.version === 'optimized' ? { pointStyle: 'circle', pointRadius: 5, backgroundColor: versionColor[v.version] }
          : { pointStyle: 'rectRot', pointRadius: 11, borderWidth: 2.5, backgroundColor: 'transparent' }),
        data: [{ x: v.roofline.operations_per_byte, y: v.roofline.attainable_gflops }] }))] },
    options: { ...chartOptions, plugins: { title: { display: true, text: 'Roofline: the most that DRAM traffic allows' },
      legend: { labels: { usePointStyle: true } } },
      scales: {
        x: { type: 'logarithmic', min: low, max: high, title: { display: true, text: 'operations per byte of DRAM traffic' },
          ticks: logTicks },
        y: { type: 'logarithmic', min: roof[0].y / 1.5, max: 2 * peak, title: { display: true, text: 'Gflop/s' },
          ticks: logTicks } } } }));
}

function trafficChart(parent, versions) {
  const keys = [...new Set(versions.flatMap(v => v.accesses.filter(a => a.space === 'global').map(keyOf)))].slice(0, 14);
  if (!keys.length) return;
  const sectors = (version, key) => version.accesses.filter(a => keyOf(a) === key)
    .reduce((total, access) => total + access.sectors * version.blocks / version.blocks_run, 0);
  charts.push(new Chart(chartBox(parent), {
    type: 'bar',
    data: { labels: keys.map(key => key.split('|').slice(0, 3).join(' ')),
      datasets: versions.map(v => ({ label: versionText[v.version], backgroundColor: versionColor[v.version],
        data: keys.map(key => sectors(v, key)) })) },
    options: { ...chartOptions, indexAxis: 'y',
      scales: { x: { ticks: { maxRotation: 0, callback: value => compact.format(value) } } },
      plugins: { title: { display: true, text: `Sectors of ${target.sector_bytes} bytes, by access` } } } }));
}

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

// How evenly what active blocks touch at a time lies in the memory partitions,
// on targets that have some to camp in.
function partitionChart(parent, versions) {
  const shares = new Map();
  for (const version of versions) {
    const counts = [];
    for (const access of version.accesses)
      (access.partition_sectors || []).forEach((n, i) => { counts[i] = (counts[i] || 0) + n; });
    const total = counts.reduce((a, b) => a + b, 0);
    if (total) shares.set(version, counts.map(n => 100 * n / total));
  }
  if (!shares.size) return;
  const partitions = [...shares.values()][0].length;
  charts.push(new Chart(chartBox(parent), {
    type: 'bar',
    data: { labels: Array.from({ length: partitions }, (_, i) => i),
      datasets: [...shares].map(([v, data]) => ({ label: versionText[v.version], backgroundColor: versionColor[v.version], data })) },
    options: { ...chartOptions,
      scales: { x: { title: { display: true, text: 'partition' } },
        y: { beginAtZero: true, suggestedMax: 200 / partitions, title: { display: true, text: '%' } } },
      plugins: { title: { display: true,
        text: `Partitions that active blocks touch at a time; even is ${number(100 / partitions, 1)}%` } } } }));
}

// Each line of the kernel, with its share of the traffic.
function sourceTable(versions) {
  const source = linesOf(versions[0].kernel);
  const lines = new Map(versions.map(v => [v, new Map()]));
  let first = versions[0].first_line || Infinity, last = first === Infinity ? 0 : first;
  for (const version of versions)
    for (const access of version.accesses) {
      const line = lineOf(access.location);
      const shares = lines.get(version);
      shares.set(line, (shares.get(line) || 0) + (access.traffic_share || 0));
      first = Math.min(first, line);
      last = Math.max(last, line);
    }
  const table = element('table');
  table.append(element('tr', {}, element('th', {}, ''),
    ...versions.map(v => element('th', { class: versionClass[v.version] }, versionText[v.version])), element('th')));
  for (let line = Math.max(1, first - 2); line <= Math.min(source.length, last + 4); ++line) {
    const row = element('tr', {}, element('td', { class: 'number' }, line));
    for (const version of versions) {
      const share = lines.get(version).get(line);
      const cell = element('td', { class: 'heat' }, share === undefined ? '' : percent(share));
      if (share) {
        const color = version.version === 'optimized' ? '29,111,184' : '194,65,12';
        cell.style.background = `linear-gradient(to left, rgba(${color},.35) ${100 * share}%, transparent ${100 * share}%)`;
      }
      row.append(cell);
    }
    row.append(element('td', { class: 'code' }, source[line - 1]));
    table.append(row);
  }
  return element('div', { class: 'source' }, table);
}

const laneColor = lane => `hsl(${lane * 360 / target.subgroup_size}, 65%, 45%)`;

function lanesRow(svg, sample, width) {
  const step = width / target.subgroup_size;
  const active = new Set(sample.lanes);
  for (let lane = 0; lane < target.subgroup_size; ++lane) {
    svg.append(drawn('rect', { x: lane * step + .5, y: 12, width: step - 1, height: 10,
      fill: active.has(lane) ? laneColor(lane) : '#eceff3' }));
    if (lane % 8 === 0) svg.append(drawn('text', { x: lane * step + 1, y: 9 }, lane === 0 ? 'lane 0' : lane));
  }
  return lane => (lane + .5) * step;
}

// Which lanes touch which sectors: a box for each sector, filled where lanes
// touch it; sectors that lie apart have a gap between them.
function drawSectors(access) {
  const sample = access.sample_request, size = target.sector_bytes, width = 560;
  const svg = drawn('svg', { viewBox: `0 0 ${width} 92`, role: 'img' });
  const laneX = lanesRow(svg, sample, width);
  const sectors = [...new Set(sample.addresses.flatMap(address => {
    const touched = [];
    for (let s = Math.floor(address / size); s <= Math.floor((address + access.bytes - 1) / size); ++s) touched.push(s);
    return touched;
  }))].sort((a, b) => a - b);
  const gaps = sectors.map((s, i) => i > 0 && s !== sectors[i - 1] + 1 ? 1 : 0);
  const room = Math.min(40, width / (sectors.length + .3 * gaps.reduce((a, b) => a + b, 0)));
  const left = new Map();
  let x = 0;
  sectors.forEach((sector, i) => { x += gaps[i] * .3 * room; left.set(sector, x); x += room; });
  const placeOfByte = byte => left.get(Math.floor(byte / size)) + (byte % size) / size * (room - 1);
  for (const sector of sectors)
    svg.append(drawn('rect', { x: left.get(sector) + .5, y: 60, width: room - 1.5, height: 14, fill: '#fff', stroke: '#5b6675' }));
  sample.lanes.forEach((lane, i) => {
    const address = sample.addresses[i], at = placeOfByte(address);
    const wide = Math.max(.8, access.bytes / size * (room - 1) - .3);
    svg.append(drawn('rect', { x: at + .5, y: 60.5, width: Math.min(wide, room - 1.5), height: 13, fill: laneColor(lane) }));
    svg.append(drawn('line', { x1: laneX(lane), y1: 22, x2: at + wide / 2, y2: 60, stroke: laneColor(lane), 'stroke-width': .8 }));
  });
  const distance = sectors[sectors.length - 1] * size + size - sectors[0] * size;
  svg.append(drawn('text', { x: 0, y: 87 },
    `${plural(sectors.length, 'sector')} of ${size} bytes, over ${number(distance)} bytes`));
  return svg;
}

// Which lanes meet in which banks.
function drawBanks(access) {
  const sample = access.sample_request, width = 560, banks = target.banks, wordBytes = target.bank_bytes;
  const svg = drawn('svg', { viewBox: `0 0 ${width} 116`, role: 'img' });
  const laneX = lanesRow(svg, sample, width);
  const words = Array.from({ length: banks }, () => new Set());
  const step = width / banks;
  sample.lanes.forEach((lane, i) => {
    const word = Math.floor(sample.addresses[i] / wordBytes);
    for (let w = 0; w < Math.max(1, access.bytes / wordBytes); ++w) words[(word + w) % banks].add(word + w);
    svg.append(drawn('line', { x1: laneX(lane), y1: 22, x2: (word % banks + .5) * step, y2: 60,
      stroke: laneColor(lane), 'stroke-width': .8 }));
  });
  // A wide request takes several turns, with a word of each bank in every one.
  const turns = Math.max(1, Math.ceil(sample.lanes.length * access.bytes / (banks * wordBytes)));
  words.forEach((set, bank) => {
    const excess = set.size - turns;
    const fill = set.size === 0 ? '#fff' : excess <= 0 ? '#bfe3cf' : `hsl(20, 85%, ${Math.max(45, 85 - 4 * excess)}%)`;
    svg.append(drawn('rect', { x: bank * step + .5, y: 60, width: step - 1, height: 14, fill, stroke: '#5b6675' }));
    if (set.size) svg.append(drawn('text', { x: bank * step + step / 2, y: 86, 'text-anchor': 'middle' }, set.size));
  });
  svg.append(drawn('text', { x: 0, y: 102 }, `different words in each of ${banks} banks of ${wordBytes} bytes`));
  return svg;
}

const keyOf = access => [placeOf(access.location), access.kind, access.array || '?', access.space].join('|');

function accessFigures(access) {
  const common = `${number(access.executions)} executions, stride ${range(access.algorithm1 ? access.algorithm1.stride_bytes
    : access.lane_stride_bytes)} bytes`;
  if (access.space !== 'global')
    return `${plural(access.wavefronts_per_request, 'wavefront')} per request, ideal ` +
      `${number(access.ideal_wavefronts_per_request)}; worst conflict ${access.conflict_degree}-way; ${common}`;
  return `${access.verdict}: ${plural(access.sectors_per_request, 'sector')} per request, ideal ` +
    `${number(access.ideal_sectors_per_request)}; ${percent(access.efficiency)} of the bytes used; ` +
    `${percent(access.traffic_share)} of the traffic; ${common}`;
}

function accessBox(key, versions) {
  const [place, kind, array, space] = key.split('|');
  const box = element('div', { class: 'access' });
  box.append(element('h4', {}, `${place}: ${kind} ${array}, ${space} memory `,
    element('code', {}, (linesOf(versions[0].kernel)[Number(place.split(':')[0]) - 1] || '').trim())));
  const isSolo = new Set(versions.filter(v => v.accesses.some(a => keyOf(a) === key))).size === 1;
  const columns = element('div', { class: isSolo ? 'solo' : 'versions' });
  const suggestions = new Set();
  for (const version of versions)
    for (const access of version.accesses.filter(a => keyOf(a) === key)) {
      const words = element('div', {}, element('div', { class: versionClass[version.version] },
        `${versionText[version.version]}${access.bytes ? ', ' + plural(access.bytes, 'byte') + ' a lane' : ''}`),
        element('div', { class: 'note' }, accessFigures(access)));
      const pictures = access.sample_request && access.sample_request.lanes.length
        ? [access.space === 'global' ? drawSectors(access) : drawBanks(access)] : [];
      // What only one version has takes the whole width: words beside the picture.
      if (isSolo) columns.append(words, element('div', {}, ...pictures));
      else columns.append(element('div', {}, words, ...pictures));
      if (version === versions[0]) access.suggestions.forEach(text => suggestions.add(text));
    }
  box.append(columns);
  if (suggestions.size)
    box.append(element('ul', { class: 'suggestions' }, ...[...suggestions].map(text => element('li', {}, text))));
  return box;
}

function geometryTable(version) {
  return tableOf(['x is', 'sectors', 'uncoalesced accesses'],
    version.geometries.map(g => [g.order[0], number(g.sectors), number(g.uncoalesced_accesses)]));
}

function kernelSection(name, versions, steps) {
  const section = element('section', { id: 'kernel-' + name });
  section.append(element('h2', {}, name));
  for (const version of versions)
    for (const fault of version.faults)
      section.append(element('p', { class: 'fault' }, `${fault.location}: ${fault.message}`));
  const chartColumn = element('div', { class: 'charts' });
  const summaryColumn = element('div', { class: 'summary' }, summary(versions));
  section.append(element('div', { class: 'columns' }, summaryColumn, chartColumn));
  section.append(element('h3', {}, 'Source, and each line’s share of the traffic'), sourceTable(versions));
  section.append(element('h3', {}, 'Accesses: one request of a subgroup, lane by lane'));
  for (const key of new Set(versions.flatMap(v => v.accesses.map(keyOf)))) section.append(accessBox(key, versions));
  for (const version of versions)
    if (version.geometries.length)
      section.append(element('h3', {}, `Thread dimensions as x, ${versionText[version.version]}`), geometryTable(version),
        ...(version.design ? [element('p', { class: 'note' }, 'To compile the best: ', element('code', {},
          '--design ' + version.design))] : []));
  if (steps && steps.length)
    section.append(element('h3', {}, 'What the passes did, and why not more'),
      tableOf(['pass', 'at', 'outcome', 'reason'], steps.map(step => [step.pass, placeOf(step.location),
        element('span', { class: step.outcome }, step.outcome),
        step.reason + Object.entries(step.metrics).map(([k, v]) => `; ${k} = ${v}`).join('')]), { class: 'steps' }));
  document.getElementById('main').append(section);
  trafficChart(chartColumn, versions);
  roofline(chartColumn, versions);
  partitionChart(summaryColumn, versions);
}

// The kernels of a program, the one that moves the most first.
function programTable() {
  const all = data.profiles.filter(profile => profile.version === 'as_written');
  const total = all.reduce((sum, profile) => sum + profile.global_sectors, 0);
  return tableOf(['kernel', 'launches', 'of the traffic', 'sectors as written', 'sectors optimized'], all.map(profile =>
    [element('a', { href: '#kernel-' + profile.kernel }, profile.kernel), number(profile.launches),
      percent(total ? profile.global_sectors / total : 0), number(profile.global_sectors),
      number(data.profiles.find(other => other.kernel === profile.kernel && other !== profile).global_sectors)]),
    { class: 'program' });
}

document.getElementById('subtitle').textContent = `${data.source.name} on ${target.name}`;
document.title = `${data.source.name}: gpuopt profile`;
if (data.sources) document.getElementById('main').append(programTable());
for (const name of new Set(data.profiles.map(profile => profile.kernel))) {
  document.getElementById('contents').append(element('a', { href: '#kernel-' + name }, name));
  kernelSection(name, data.profiles.filter(profile => profile.kernel === name), data.steps[name]);
}
document.body.dataset.ready = 'true';
