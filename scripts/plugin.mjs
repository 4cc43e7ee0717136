/** Implements `npm run plugin`, the commands for authors of plugins and for operators who choose the plugins of a deployment. They are in `scripts/plugin`. */
import { parseArgs } from 'node:util';
import { CommandError } from './plugin/deployment.mjs';
import { ensureInstalled } from './prepare.mjs';

const usage = `npm run plugin -- COMMAND [--manifest FILE]

  list [--json]                           lists the plugins of the deployment in start order
  plan --with A,B --without C [--json]    shows the effects of a change: plugins, menus, permission codes, data, bytes
  new ID [--title 灯具,Lamps] [--under base]
                                          creates a plugin with a list, a form, a table, samples and tests, and enables it
  enable ID …                             adds plugins to the manifest
  disable ID …                            removes plugins from the manifest; their data stays
  remove ID … [--force]                   deletes the folders and tests of disabled plugins; their data stays
  build FOLDER [--key FILE]               builds the package of a plugin in a folder of its own, and signs it
  key FILE                                makes a key that signs packages
  reset ID [--yes]                        drops the tables of a plugin in a development database and applies its migrations again
  check ID|FOLDER … [--fix] [--rule NAME] [--failed]
                                          judges plugins by the rules of docs/plugin-rules.md and runs their tests
  upgrade [ID|FOLDER …] [--dry]           rewrites renamed APIs in plugins and their tests
  doctor                                  lists the problems that prevent this deployment from being built and run`;

const text = { type: 'string' };
const flag = { type: 'boolean' };

/** Commands by name. Each loads its module when it runs, so that one that fails to load does not break the others. */
const commands = {
  list: { options: { json: flag }, load: () => import('./plugin/list.mjs') },
  plan: { options: { json: flag, with: text, without: text }, load: () => import('./plugin/plan.mjs') },
  new: { takes: 'ID', max: 1, options: { title: text, under: text }, load: () => import('./plugin/new.mjs') },
  enable: { takes: 'ID', load: () => import('./plugin/enable.mjs') },
  disable: { takes: 'ID', load: () => import('./plugin/disable.mjs') },
  remove: { takes: 'ID', options: { force: flag }, load: () => import('./plugin/remove.mjs') },
  build: { takes: 'FOLDER', max: 1, hasManifest: false, options: { key: text }, load: () => import('./plugin/build.mjs') },
  key: { takes: 'FILE', max: 1, hasManifest: false, load: () => import('./plugin/key.mjs') },
  reset: { takes: 'ID', max: 1, options: { yes: flag }, load: () => import('./plugin/reset.mjs') },
  check: { takes: 'ID', options: { fix: flag, rule: { type: 'string', multiple: true }, failed: flag }, load: () => import('./plugin/check.mjs') },
  upgrade: { takes: 'ID', min: 0, hasManifest: false, options: { dry: flag }, load: () => import('./plugin/upgrade.mjs') },
  doctor: { load: () => import('./plugin/doctor.mjs') },
};

const programmingErrors = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Runs one command line. A user error prints its message and returns 1, an internal error prints its stack and returns 1. */
async function runCommandLine(args) {
  try {
    const { command, ids, values } = parseCommandLine(args);
    if (!command) {
      console.log(usage);
      return 0;
    }
    if (values.manifest) process.env.MARQUEE_MANIFEST = values.manifest;
    await ensureInstalled();
    const { run } = await command.load();
    return (await run({ ids, values })) ?? 0;
  } catch (error) {
    console.error(programmingErrors.some((kind) => error instanceof kind) ? error.stack : error.message);
    return 1;
  }
}

function parseCommandLine(args) {
  const [name, ...rest] = args;
  if (name === 'help' || args.includes('--help') || args.includes('-h')) return {};
  if (name === undefined) throw new CommandError(usage);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new CommandError(`Unknown command "${name}".\n\n${usage}`);
  assertNoOptionsConsumedByNpm(command, rest);
  const { values, positionals } = parsed(name, command, rest);
  const ids = [...new Set(positionals)];
  const { takes, min = takes ? 1 : 0, max = takes ? Number.POSITIVE_INFINITY : 0 } = command;
  if (ids.length < min) throw new CommandError(`${name} needs ${article(takes)}: npm run plugin -- ${name} ${takes}`);
  if (ids.length > max) throw new CommandError(`${name} takes ${max === 0 ? 'no' : 'one'} ${takes ?? 'ID'}, but got ${ids.join(' and ')}.`);
  return { command, ids, values };
}

const article = (noun) => ({ ID: 'the id of a plugin', FOLDER: 'a folder', FILE: 'a file' })[noun];

function parsed(name, { options = {}, hasManifest = true }, args) {
  const allOptions = { ...options, ...(hasManifest ? { manifest: text } : {}) };
  try {
    return parseArgs({ args, options: allOptions, allowPositionals: true });
  } catch ({ code, message }) {
    const names = Object.keys(allOptions).map((option) => `--${option}`);
    const [option] = /'(-[^' <]*)/.exec(message)?.slice(1) ?? [];
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
      throw new CommandError(`${name} has no option ${option}.${names.length > 0 ? ` It has ${names.join(', ')}.` : ''}`);
    throw new CommandError(`${name}: ${message}`);
  }
}

/** Rejects options without `--`: npm consumes them and passes only their values, so that `upgrade --dry` would write. */
function assertNoOptionsConsumedByNpm({ options = {} }, rest) {
  if (process.env.npm_lifecycle_event !== 'plugin') return;
  const consumed = Object.keys({ ...options, manifest: text }).filter((option) => {
    const setting = option === 'dry' ? 'dry_run' : option;
    return process.env[`npm_config_${setting}`] && !rest.some((arg) => arg.startsWith(`--${option}`));
  });
  if (consumed.length === 0) return;
  const options_ = consumed.map((option) => `--${option}`).join(' and ');
  throw new CommandError(`npm consumed ${options_}. Write two dashes before the command: npm run plugin -- COMMAND ${options_}`);
}

process.exitCode = await runCommandLine(process.argv.slice(2));
