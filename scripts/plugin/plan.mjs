/** Implements `plan`: reports the effect of a change of the manifest, from builds before and after it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { linesOf, planOf } from '../deployment-plan.mjs';
import { manifestPath } from '../manifest.mjs';
import { withAbsolutePath } from '../plugin-sources.mjs';
import { output, plannedOutput } from '../prepare.mjs';
import { CommandError, describeBuild } from './deployment.mjs';
import { assertListed } from './disable.mjs';
import { assertUsable } from './enable.mjs';

export async function run({ values }) {
  const [added, removed] = [split(values.with), split(values.without)];
  if (added.length + removed.length === 0) throw new CommandError('plan needs a change: npm run plugin -- plan --with ID,… --without ID,…');
  const manifest = manifestPath();
  assertUsable(added);
  assertListed(removed);
  const folder = mkdtempSync(join(tmpdir(), 'marquee-plan-'));
  // The build is kept, so that carrying out the plan needs no further build.
  const afterwards = plannedOutput();
  try {
    const changed = join(folder, 'changed.manifest.json');
    const from = dirname(manifest);
    writeFileSync(changed, JSON.stringify({ extends: manifest, with: added.map((entry) => withAbsolutePath(entry, from)), without: removed }));
    const quiet = { isQuiet: values.json };
    const before = await describeBuild(manifest, output(), quiet);
    const plan = planOf(before, await describeBuild(changed, afterwards, quiet));
    if (values.json) console.log(JSON.stringify(plan, null, 2));
    else for (const line of linesOf(plan)) console.log(line);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const split = (text = '') => text.split(/[,，]/).filter(Boolean);
