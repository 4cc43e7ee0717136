/**
 * Asks the registry for known vulnerabilities of the locked packages. Exits with 1 if one is high or critical. A registry without the audit endpoint is not a
 * failure; it prints a line `Skipped: …`.
 */
import { spawnNpm } from './npm.mjs';
import { root } from './prepare.mjs';

const { stdout } = spawnNpm(['audit', '--audit-level=high', '--json', '--fetch-retries=0', '--fetch-timeout=20000'], { cwd: root });
const report = parse(stdout);
if (!report.metadata) {
  console.log(`Skipped: the registry does not support audits (${report.message ?? report.error?.summary ?? 'no reply'}).`);
} else {
  const { high = 0, critical = 0, total = 0 } = report.metadata.vulnerabilities;
  for (const { name, severity, range } of Object.values(report.vulnerabilities ?? {})) console.log(`${severity}: ${name} ${range}`);
  console.log(`${total} known vulnerabilities, ${high + critical} of them high or critical. Run npm audit for details.`);
  if (high + critical > 0) process.exitCode = 1;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
