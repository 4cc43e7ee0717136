/** Finds the browsers of this machine. It uses Node built-ins only, so it runs on a fresh clone. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Executables by Playwright's channel names. The headless shell comes first, because it draws no window and does the same work in less time. */
const channels = {
  'chromium-headless-shell': { commands: ['chromium-headless-shell', 'chrome-headless-shell'] },
  chromium: { commands: ['chromium', 'chromium-browser'], mac: 'Chromium.app/Contents/MacOS/Chromium' },
  chrome: {
    commands: ['google-chrome', 'google-chrome-stable', 'chrome.exe'],
    mac: 'Google Chrome.app/Contents/MacOS/Google Chrome',
    windows: 'Google/Chrome/Application/chrome.exe',
  },
  msedge: {
    commands: ['microsoft-edge', 'microsoft-edge-stable', 'msedge.exe'],
    mac: 'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    windows: 'Microsoft/Edge/Application/msedge.exe',
  },
};

const shell = 'chromium-headless-shell';

/**
 * Returns the path of the browser to test with, or undefined. `CHROMIUM_PATH` selects it: the path of an executable, a name on the PATH, or a Playwright channel
 * (chromium, chrome, msedge, chromium-headless-shell). If it names no browser, no other is used instead.
 */
export function knownBrowser(environment = process.env) {
  const wanted = environment.CHROMIUM_PATH;
  if (!wanted)
    return Object.keys(channels)
      .map((channel) => executableOf(channel, environment))
      .find(Boolean);
  if (channels[wanted]) return executableOf(wanted, environment);
  return [wanted, ...onPath([wanted], environment)].find((path) => existsSync(path));
}

/** Returns the path of a browser of another kind: a full browser for the headless shell, the shell for a full browser; or undefined. */
export function otherBrowser(path, environment = process.env) {
  const [, ...full] = Object.keys(channels);
  const others = isShell(path) ? full : [shell];
  return others.map((channel) => executableOf(channel, environment)).find(Boolean);
}

/** Returns true for a headless shell, which draws no windows and requests no icons. */
export const isShell = (path) => /headless[-_]shell/.test(path);

function executableOf(channel, environment) {
  const { commands, mac, windows } = channels[channel];
  const applications = ['/Applications', join(homedir(), 'Applications')].map((folder) => mac && join(folder, mac));
  const programs = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => windows && environment[name] && join(environment[name], windows));
  return [...onPath(commands, environment), ...applications, ...programs].find((path) => path && existsSync(path));
}

const onPath = (commands, environment) =>
  (environment.PATH ?? environment.Path ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => commands.map((name) => join(folder, name)));
