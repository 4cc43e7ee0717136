/** Formats the settings of a server, from `src/server/settings.json`. It uses Node built-ins only, so it runs on a fresh clone. */
import { readFileSync } from 'node:fs';

/** Returns every environment variable that a server reads: name, default as a value or a description, and a sentence. */
export const settings = () => JSON.parse(readFileSync(new URL('../src/server/settings.json', import.meta.url), 'utf8'));

/** Returns the output of `npm start -- --help`. */
export function startHelp() {
  return `npm start -- [options]

Installs packages, builds changed sources and starts the server, then prints its address. Ctrl-C stops it.

Options
  --demo               fills a new data directory with half a year of demo data
  --demo-scale NUMBER  size of the demo data, above 0 and up to 1 (default 1)
  --safe               only starts core plugins
  --help               prints this help

Settings, as environment variables; see docs/operating.md
${settings()
  .flatMap(({ name, does, ...setting }) => [`  ${name} (default: ${plain(defaultText(setting))})`, ...wrapped(plain(does), 96).map((line) => `      ${line}`)])
  .join('\n')}`;
}

/** Returns the table of settings in `docs/operating.md`. */
export function settingsTable() {
  const rows = settings().map(({ name, does, ...setting }) => {
    const text = defaultText(setting);
    return `| \`${name}\` | ${setting.default === undefined ? (text === 'none' ? '–' : text) : `\`${text}\``} | ${does} |`;
  });
  return ['| name | default | description |', '|---|---|---|', ...rows].join('\n');
}

const defaultText = ({ default: value, otherwise }) => value ?? otherwise ?? 'none';
const plain = (markdown) => markdown.replaceAll('`', '').replace(/\*([^*]+)\*/g, '$1');

function wrapped(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line.length + word.length < width) lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
