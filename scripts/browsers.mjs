/** Finds the browsers of this machine. Node built-ins alone, so it runs on a fresh clone. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Executables by the names that Playwright gives the channels. Without a window to draw, the shell does the same work in less time, so it comes first. */
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
 * The path of the browser to test with, or nothing. `CHROMIUM_PATH` says which: the path of an executable, the name of one on the PATH, or a channel of Playwright
 * (chromium, chrome, msedge, chromium-headless-shell). One that names nothing is not replaced by another.
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

/** The path of a browser of another make than this one, a full one beside the shell and the shell beside a full one; or nothing. */
export function otherBrowser(path, environment = process.env) {
  const [, ...full] = Object.keys(channels);
  const others = isShell(path) ? full : [shell];
  return others.map((channel) => executableOf(channel, environment)).find(Boolean);
}

/** Shells draw no windows and ask for no icons. */
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
