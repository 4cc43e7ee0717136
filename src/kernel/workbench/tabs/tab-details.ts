import { stateParameters } from '#shared/list-address';
import type { Tab } from './tabs.ts';

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
