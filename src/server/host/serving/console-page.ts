import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleSettings } from '#shared/console-settings';
import { settingsElement } from '#shared/settled-manifest';

/** Inserts the deployment's settings into the console's page, as data that is never executed. */
export function settledPage(folder: string, settings: ConsoleSettings): string {
  const { brand, theme } = settings;
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const data = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return [
    (text: string) => text.replace('</head>', () => `<script type="application/json" id="${settingsElement}">${data}</script></head>`),
    (text: string) => (brand?.name ? text.replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(brand.name ?? '')}</title>`) : text),
    (text: string) => (brand?.favicon ? withIcon(text, brand.favicon) : text),
    (text: string) => (theme ? text.replace(/(data-theme=")[^"]*/, (_, before) => `${before}${escaped(theme)}`) : text),
  ].reduce((text, change) => change(text), page);
}

/** Replaces the page's icon and removes the bitmap icon with a size, which shows the old one. */
const withIcon = (text: string, address: string): string =>
  text.replace(/<link rel="icon" sizes=[^>]*>/, '').replace(/(<link rel="icon" href=")[^"]*/, (_, before) => `${before}${escaped(address)}`);

/** Returns the address of the icon in a console page. */
export const iconIn = (page: string): string | undefined => /<link rel="icon" href="([^"]*)/.exec(page)?.[1]?.replaceAll('&amp;', '&');

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
