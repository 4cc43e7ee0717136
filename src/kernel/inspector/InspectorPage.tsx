import { useState } from 'react';
import type { Words } from '#shared/text';
import { useService } from '../base/react/services.tsx';
import { useStream } from '../base/react/use-stream.ts';
import { copyText } from '../platform/browser/copy-text.ts';
import { ErrorLog } from '../platform/errors/error-log.ts';
import { Toasts } from '../platform/feedback/toasts.ts';
import { useText, useWords } from '../platform/i18n/use-words.ts';
import { Permission } from '../platform/permission/permission.ts';
import { PageBoundary } from '../ui/errors/PageBoundary.tsx';
import { ContainersSection } from './ContainersSection.tsx';
import { EventsSection } from './EventsSection.tsx';
import { textOf } from './inspection.ts';
import styles from './inspector.module.css';
import { MenusSection } from './MenusSection.tsx';
import { ContributionsSection, GraphSection, PluginsSection } from './PluginsSection.tsx';
import { StoresSection } from './StoresSection.tsx';
import { useContainers, useInspected } from './use-inspected.ts';
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
  const log = useService(ErrorLog);
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
      <PageBoundary key={chosen} isShell onError={(error) => log.record('error', error, '/dev/kernel')} fallback={(error) => <pre>{String(error)}</pre>}>
        <Section />
      </PageBoundary>
    </section>
  );
}

function CopyAll() {
  const say = useWords();
  const text = useText();
  const toasts = useService(Toasts);
  const inspected = useInspected();
  const containers = useContainers();
  const copy = async () => {
    if (await copyText(textOf(inspected, containers(), say))) toasts.success(text('account.copied'));
    else toasts.error(text('account.copyFailed'));
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {say(words.copy)}
    </button>
  );
}
