import type { Tab } from './tabs.ts';

type TabTarget = Pick<Tab, 'title' | 'location'>;

/** Returns the parameters that distinguish a tab from others of its title; empty where the title suffices. */
export function tabDetails(tabs: readonly TabTarget[]): (tab: TabTarget) => string {
  const counts = new Map<string, number>();
  for (const { title } of tabs) counts.set(title, (counts.get(title) ?? 0) + 1);
  return ({ title, location }) => ((counts.get(title) ?? 0) > 1 ? parametersOf(location) : '');
}

function parametersOf(location: string): string {
  const query = new URLSearchParams(/\?([^#]*)/.exec(location)?.[1] ?? '');
  return [...query].map(([name, value]) => `${name}=${value}`).join(' ');
}
