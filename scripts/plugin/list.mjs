/** Implements `list`: prints the plugins of the deployment, and the plugins in the source tree that its manifest does not list. */
import { manifestPath, readManifestFile } from '../manifest.mjs';
import { pluginsOfTree } from '../plugin-sources.mjs';
import { output } from '../prepare.mjs';
import { count, describeBuild } from './deployment.mjs';

export async function run({ values }) {
  const { plugins } = await describeBuild(manifestPath(), output(), { isQuiet: values.json });
  const absent = pluginsOfTree().filter((id) => !plugins.some((plugin) => plugin.id === id));
  if (values.json) return void console.log(JSON.stringify({ plugins, absent }, null, 2));
  const width = Math.max(...plugins.map(({ id }) => id.length));
  for (const plugin of plugins) console.log(`${plugin.id.padEnd(width)}  ${plugin.title[1]} ${plugin.version} · ${summaryOf(plugin).join(' · ')}`);
  for (const { id, manifest } of readManifestFile().manifest.remotes ?? []) console.log(`${id.padEnd(width)}  loaded by consoles from ${manifest}`);
  if (absent.length > 0) console.log(`\nnot listed: ${absent.join(', ')}`);
}

const summaryOf = ({ dependencies, skipped, menus, codes }) => [
  `${count(menus.length, 'page')}, ${count(codes.length, 'code')}`,
  ...(dependencies.length > 0 ? [`needs ${dependencies.join(', ')}`] : []),
  ...(skipped ? [`does not run: ${skipped}`] : []),
];
