// The script of a one-file report: gives what the file holds to the element that draws it.

const { readReport } = TesseraReport;
const { name, runs } = JSON.parse(document.getElementById('report-data').textContent);
const reports = runs.map((run) => readReport(run));
const drawn = document.createElement('tessera-report');
const titleOf = ({ policy, device, options }) =>
  [policy?.title ?? options?.policy, device?.title].filter(Boolean).join(' · ');

function show(at) {
  drawn.report = reports[at];
}

drawn.name = name;
drawn.compared = reports;
show(0);
if (reports.length > 1) {
  drawn.view = 'compare';
  const chooser = document.createElement('select');
  chooser.className = 'runs';
  chooser.slot = 'controls';
  chooser.setAttribute('aria-label', 'Run');
  for (const [at, report] of reports.entries()) chooser.add(new Option(titleOf(report) || `Run ${at + 1}`, String(at)));
  chooser.addEventListener('change', () => show(Number(chooser.value)));
  drawn.append(chooser);
}
document.querySelector('main').append(drawn);
