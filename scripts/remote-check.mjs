/** Checks that remote plugins are those that the manifest lists. */
import { createHash } from 'node:crypto';
import { schemaProblems } from './manifest.mjs';

/** Returns messages about remote plugins that consoles would refuse, each with its path in the manifest. */
export async function remoteProblems(remotes = []) {
  return (await Promise.all(remotes.map(problemsOfRemote))).flat();
}

async function problemsOfRemote({ id, manifest, integrity, options = {} }) {
  const place = `remotes.${id}`;
  try {
    const reply = await fetch(manifest, { signal: AbortSignal.timeout(10_000) });
    if (!reply.ok) return [`${place}: ${manifest} answers ${reply.status}`];
    const content = Buffer.from(await reply.arrayBuffer());
    const [algorithm] = integrity.split('-', 1);
    const digest = `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
    if (digest !== integrity) return [`${place}.integrity does not match: the file has ${digest}`];
    const remote = JSON.parse(content.toString('utf8'));
    if (remote.id !== id) return [`${place}: the file is the plugin "${remote.id}"`];
    const { required: _, ...schema } = remote.options ?? { additionalProperties: false };
    return schemaProblems(schema, options, `${place}.options`);
  } catch (error) {
    return [`${place}: ${manifest} could not be fetched: ${error.cause?.message ?? error.message}`];
  }
}
