import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleSettings } from '#shared/console-settings';
import { settingsElement } from '#shared/effective-manifest';
import type { Manifest } from '#shared/manifest';

/** Settings that the console's page carries. */
export type PageSettings = ConsoleSettings & Partial<Pick<Manifest, 'storagePrefix' | 'traces'>>;

/**
 * Returns the page's settings of a console under a base path: calls go there, the brand's pictures lie there, and other consoles on the same host do not share its
 * browser storage. At the root they are those of the deployment.
 */
export function settingsUnder(basePath: string, { apiBase, brand, storagePrefix }: Manifest, settings: ConsoleSettings | undefined): PageSettings | undefined {
  if (basePath === '') return settings;
  const pictures = { logo: brand?.logo, background: brand?.background, favicon: settings?.brand?.favicon };
  const prefixedPictures = Object.entries(pictures).flatMap(([name, address]) =>
    address === undefined ? [] : [[name, address.replace(/^(?=\/(?!\/))/, basePath)]],
  );
  return {
    ...settings,
    apiBase: apiBase ?? basePath,
    storagePrefix: `${storagePrefix}${basePath.slice(1).replaceAll('/', '-')}-`,
    ...(prefixedPictures.length > 0 || settings?.brand ? { brand: { ...settings?.brand, ...Object.fromEntries(prefixedPictures) } } : {}),
  };
}

/** Returns the console's page with its settings, as data that is never executed; undefined if the built page is served as it is. */
export function consolePage(folder: string, settings: PageSettings | undefined, basePath: string): string | undefined {
  if (!settings) return undefined;
  const { brand, storagePrefix, theme } = settings;
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const data = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return [
    (text: string) => (basePath ? text.replace(/<html/, `$& data-base="${basePath}"`).replace(/( (?:src|href)=")(?=\/(?!\/))/g, `$1${basePath}`) : text),
    (text: string) => (storagePrefix ? text.replace(/(data-prefix=")[^"]*/, `$1${storagePrefix}`) : text),
    (text: string) => text.replace('</head>', () => `<script type="application/json" id="${settingsElement}">${data}</script></head>`),
    (text: string) => (brand?.name ? text.replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(brand.name ?? '')}</title>`) : text),
    (text: string) => (brand?.favicon ? withIcon(text, brand.favicon) : text),
    (text: string) => (theme ? text.replace(/(data-theme=")[^"]*/, (_, before) => `${before}${escaped(theme)}`) : text),
  ].reduce((text, change) => change(text), page);
}

/** Replaces the page's icon and removes the bitmap icon with a size, which shows the old one. */
const withIcon = (text: string, address: string): string =>
  text.replace(/<link rel="icon" sizes=[^>]*>/, '').replace(/(<link rel="icon" href=")[^"]*/, (_, before) => `${before}${escaped(address)}`);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
