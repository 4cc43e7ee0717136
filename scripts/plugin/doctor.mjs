/** Implements `doctor`: lists the problems that prevent a build or a start of this deployment, and exits with 1 if there are any. */
import { relative } from 'node:path';
import { manifestPath, problemsOf, readManifestFile } from '../manifest.mjs';
import { settledOptions } from '../plugin-options.mjs';
import { pluginOf } from '../plugin-sources.mjs';
import { output, root } from '../prepare.mjs';
import { remoteProblems } from '../remote-check.mjs';
import { knownBrowser } from '../test-services.mjs';
import { describeBuild } from './deployment.mjs';

export async function run() {
  const { manifest, files } = readManifestFile();
  const problems = await declaredProblems(manifest);
  if (problems.length === 0) {
    const { plugins } = await describeBuild(manifestPath(), output());
    problems.push(...plugins.filter(({ skipped }) => skipped).map(({ id, skipped }) => `${id} would not run: ${skipped}`));
  }
  console.log(`Node.js ${process.versions.node}`);
  console.log(`Manifest ${files.map((path) => relative(root, path).replaceAll('\\', '/')).join(', which extends ')}: ${manifest.plugins.length} plugins`);
  console.log(`Database ${process.env.DATABASE_URL ? 'the one of DATABASE_URL' : `embedded, in ${process.env.DATA_DIR ?? '.data'}`}`);
  console.log(`Browser for the tests: ${knownBrowser() ?? 'not found; npm test installs one'}`);
  for (const problem of problems) console.log(`! ${problem}`);
  console.log(problems.length === 0 ? 'No problems found.' : `Problems: ${problems.length}.`);
  return problems.length === 0 ? 0 : 1;
}

/** Returns the problems that the manifest and the plugins show without a build. */
async function declaredProblems(manifest) {
  const plugins = manifest.plugins.map(pluginOf);
  const unusable = plugins.flatMap(({ id, missing, problem }) =>
    missing ? [`plugin ${id} not found; a build would skip it`] : problem ? [`plugins.${id}: ${problem}`] : [],
  );
  const { problems } = await settledOptions(plugins.filter(({ missing }) => !missing));
  return [...(await problemsOf(manifest)), ...unusable, ...(await remoteProblems(manifest.remotes)), ...problems];
}
