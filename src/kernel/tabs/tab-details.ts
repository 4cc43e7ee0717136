import type { Tab } from './tabs.ts';

type Place = Pick<Tab, 'title' | 'location'>;

/** What tells a tab from others of its title: its parameters. Empty where the title is enough. */
export function tabDetails(tabs: readonly Place[]): (tab: Place) => string {
  const counts = new Map<string, number>();
  for (const { title } of tabs) counts.set(title, (counts.get(title) ?? 0) + 1);
  return ({ title, location }) => ((counts.get(title) ?? 0) > 1 ? parametersOf(location) : '');
}

function parametersOf(location: string): string {
  const query = new URLSearchParams(/\?([^#]*)/.exec(location)?.[1] ?? '');
  return [...query].map(([name, value]) => `${name}=${value}`).join(' ');
}
