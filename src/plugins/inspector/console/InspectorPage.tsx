import { useState } from 'react';
import { copyText, PageBoundary, Permission, Toasts, useDiagnostics, useService, useStream, useWords } from '#kernel';
import type { Words } from '#shared/text';
import { ContainersSection } from './ContainersSection.tsx';
import { EventsSection } from './EventsSection.tsx';
import { textOf } from './inspection.ts';
import styles from './inspector.module.css';
import { MenusSection } from './MenusSection.tsx';
import { ContributionsSection, GraphSection, PluginsSection } from './PluginsSection.tsx';
import { StoresSection } from './StoresSection.tsx';
import { words } from './words.ts';

const sections: readonly (readonly [name: Words, Section: () => React.ReactNode])[] = [
  [words.plugins, PluginsSection],
  [words.menus, MenusSection],
  [words.graph, GraphSection],
  [words.contributions, ContributionsSection],
  [words.events, EventsSection],
  [words.stores, StoresSection],
  [words.containers, ContainersSection],
];

/** Shows administrators the internals of the console: plugins and their failures, contributions, events and stores. */
export default function InspectorPage() {
  const say = useWords();
  const permission = useService(Permission);
  const isAdministrator = useStream(permission.isAdministrator$, false);
  const [chosen, setChosen] = useState(0);
  const Section = sections[chosen]?.[1] ?? PluginsSection;
  if (!isAdministrator) return <p className={styles.page}>{say(words.refused)}</p>;
  return (
    <section className={styles.page} aria-label={say(words.title)}>
      <div className={styles.bar}>
        <div className={styles.sections}>
          {sections.map(([name], place) => (
            <button key={name[1]} type="button" aria-pressed={place === chosen} onClick={() => setChosen(place)}>
              {say(name)}
            </button>
          ))}
        </div>
        <CopyAll />
      </div>
      <PageBoundary key={chosen} isShell onError={(error) => window.reportError(error)} fallback={(error) => <pre>{String(error)}</pre>}>
        <Section />
      </PageBoundary>
    </section>
  );
}

function CopyAll() {
  const say = useWords();
  const toasts = useService(Toasts);
  const diagnostics = useDiagnostics();
  const copy = async () => {
    if (await copyText(textOf(diagnostics, say))) toasts.success(say(words.copied));
    else toasts.error(say(words.copyFailed));
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {say(words.copy)}
    </button>
  );
}
