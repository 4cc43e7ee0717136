const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['WeChat', /MicroMessenger\/(\d+)/],
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)\S* (?:Mobile\/\S+ )?Safari/],
];

const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Windows', /Windows NT/],
  ['iPadOS', /iPad/],
  ['iOS', /iPhone|iPod/],
  ['HarmonyOS', /HarmonyOS|OpenHarmony/],
  ['Android', /Android/],
  ['macOS', /Macintosh|Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux|X11/],
];

/** Maximum length that is parsed: no browser sends more, and a longer text could only serve to slow down the patterns. */
const longest = 512;

/** Describes a user agent in at most 128 characters: `Chrome 130 · Windows`; other programs by the name they state, or `–`. */
export function deviceOf(header: string): string {
  const userAgent = header.slice(0, longest);
  const browser = browsers.flatMap(([name, pattern]) => {
    const version = pattern.exec(userAgent)?.[1];
    return version === undefined ? [] : [`${name} ${version}`];
  })[0];
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const program = /^[\w.-]+(?:\/[\d.]+)?/.exec(userAgent)?.[0].replace('/', ' ');
  const parts = browser ? [browser, system] : [system ? undefined : program, system];
  return parts.filter(Boolean).join(' · ').slice(0, 128) || '–';
}
