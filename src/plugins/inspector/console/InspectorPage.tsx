import { useState } from 'react';
import { copyText, PageBoundary, Permission, Toasts, useDiagnostics, useService, useStream, useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import { ContainersSection } from './ContainersSection.tsx';
import { EventsSection } from './EventsSection.tsx';
import { textOf } from './inspection.ts';
import styles from './inspector.module.css';
import { MenusSection } from './MenusSection.tsx';
import { words } from './messages.ts';
import { ContributionsSection, GraphSection, PluginsSection } from './PluginsSection.tsx';
import { StoresSection } from './StoresSection.tsx';

const sections: readonly (readonly [name: LocalizedText, Section: () => React.ReactNode])[] = [
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
  const t = useTranslation();
  const permission = useService(Permission);
  const isAdministrator = useStream(permission.isAdministrator$, false);
  const [chosen, setChosen] = useState(0);
  const Section = sections[chosen]?.[1] ?? PluginsSection;
  if (!isAdministrator) return <p className={styles.page}>{t(words.refused)}</p>;
  return (
    <section className={styles.page} aria-label={t(words.title)}>
      <div className={styles.bar}>
        <div className={styles.sections}>
          {sections.map(([name], index) => (
            <button key={name[1]} type="button" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
              {t(name)}
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
  const t = useTranslation();
  const toasts = useService(Toasts);
  const diagnostics = useDiagnostics();
  const copy = async () => {
    if (await copyText(textOf(diagnostics, t))) toasts.success(t(words.copied));
    else toasts.error(t(words.copyFailed));
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {t(words.copy)}
    </button>
  );
}
