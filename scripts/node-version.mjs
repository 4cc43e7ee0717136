/**
 * Checks the version of Node.js before anything else is loaded. This file and its static imports must parse and run on Node.js 14: no top-level `await`, no `??=`,
 * no `import.meta.dirname`. A test enforces it.
 */

/** Returns a message if Marquee does not run on this version of Node.js, or else undefined. */
export function nodeVersionProblem(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  return `Marquee needs Node.js 20.19 or newer, but this is ${version}. Install a newer version from https://nodejs.org and run the same command again.`;
}

/** Ends the process with the message, if there is one. */
export function requireNodeVersion() {
  const problem = nodeVersionProblem(process.versions.node);
  if (problem === undefined) return;
  console.error(`\n${problem}\n`);
  process.exit(1);
}
