import { stateParameters } from '#shared/list-address';
import type { Tab } from './tabs.ts';

/** Returns the element id of a tab; with `paneId` it links the tab to its page. */
export const tabId = (key: string): string => `tab:${key}`;

/** Returns the element id of a tab's page. */
export const paneId = (key: string): string => `pane:${key}`;

type TabTarget = Pick<Tab, 'title' | 'location' | 'details'>;

/** Returns the words that distinguish a tab from others of its title: its own description, otherwise its parameters; empty where the title suffices. */
export function tabDetails(tabs: readonly TabTarget[]): (tab: TabTarget) => string {
  const counts = new Map<string, number>();
  for (const { title } of tabs) counts.set(title, (counts.get(title) ?? 0) + 1);
  return ({ title, location, details }) => ((counts.get(title) ?? 0) > 1 ? details || parametersOf(location) : '');
}

function parametersOf(location: string): string {
  const query = new URLSearchParams(/\?([^#]*)/.exec(location)?.[1] ?? '');
  return [...query]
    .filter(([name]) => !stateParameters.has(name))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
