import { useState } from 'react';
import {
  copyText,
  formatDateTime,
  Graph,
  type LoggedEvent,
  type LoggedStore,
  matchesSearch,
  PageBoundary,
  Permission,
  Session,
  Tabs,
  Toasts,
  useAddressParameter,
  useCan,
  useDiagnostics,
  usePinyin,
  useService,
  useStream,
  useTranslation,
} from '#kernel';
import { explainPage } from '#shared/menu-groups';
import { explainMenu, formatValue, textOf } from './inspection.ts';
import styles from './inspector.module.css';
import { inspectorMessages } from './messages.ts';
import { ContributionsSection, GraphSection, PluginsSection } from './PluginsSection.tsx';
import { FilterBar, Rows } from './Rows.tsx';

const sections = {
  plugins: PluginsSection,
  menus: MenusSection,
  graph: GraphSection,
  contributions: ContributionsSection,
  events: EventsSection,
  stores: StoresSection,
  containers: ContainersSection,
};
const tabs = ['plugins', 'menus', 'graph', 'contributions', 'events', 'stores', 'containers'] as const;

/** Shows administrators the internals of the console: plugins and their failures, contributions, events and stores. */
export default function InspectorPage() {
  const t = useTranslation();
  const permission = useService(Permission);
  const isAdministrator = useStream(permission.isAdministrator$, false);
  const [selected, setSelected] = useAddressParameter('tab', tabs);
  const Section = sections[selected];
  if (!isAdministrator) return <p className={styles.page}>{t(inspectorMessages.administratorsOnly)}</p>;
  return (
    <section className={styles.page} aria-label={t(inspectorMessages.title)}>
      <div className={styles.bar}>
        <div className={styles.sections}>
          {tabs.map((tab) => (
            <button key={tab} type="button" aria-pressed={tab === selected} onClick={() => setSelected(tab)}>
              {t(inspectorMessages[tab])}
            </button>
          ))}
        </div>
        <CopyAll />
      </div>
      <PageBoundary key={selected} isShell onError={(error) => window.reportError(error)} fallback={(error) => <pre>{String(error)}</pre>}>
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
    if (await copyText(textOf(diagnostics, t))) toasts.success(t(inspectorMessages.copied));
    else toasts.error(t(inspectorMessages.copyFailed));
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {t(inspectorMessages.copy)}
    </button>
  );
}

/** Draws the services of the console and of each plugin, with their dependencies and whether they have been created. */
function ContainersSection() {
  const t = useTranslation();
  const containers = useDiagnostics().containers();
  const [owner, setOwner] = useState('console');
  const selected = containers.find((container) => container.owner === owner) ?? containers[0];
  const services = selected?.services ?? [];
  // A production build shortens class names and repeats some, so a graph could not distinguish them.
  const serviceNames = new Set(services.map(({ name }) => name));
  const externalNames = [...new Set(services.flatMap(({ dependencies }) => dependencies))].filter((name) => !serviceNames.has(name));
  const nodes = [
    ...services.map(({ name, instance }) => ({ nodeId: name, title: name, ...(instance === undefined ? {} : { tone: 'good' }) })),
    ...externalNames.map((name) => ({ nodeId: name, title: name, note: 'console' })),
  ];
  const edges = services.flatMap(({ name, dependencies }) => dependencies.map((from) => ({ from, to: name })));
  return (
    <>
      <div className={styles.bar}>
        {containers.map((container) => (
          <button key={container.owner} type="button" aria-pressed={container.owner === owner} onClick={() => setOwner(container.owner)}>
            {container.owner} {container.services.length}
          </button>
        ))}
      </div>
      {edges.length > 0 && serviceNames.size === services.length && (
        <Graph label={t(inspectorMessages.containers)} nodes={nodes} edges={edges} onSelect={() => undefined} />
      )}
      <Rows
        label={inspectorMessages.containers}
        heads={[inspectorMessages.service, inspectorMessages.dependencies, inspectorMessages.created]}
        rows={services.map(({ name, dependencies, instance }, index) => ({
          key: `${index} ${name}`,
          cells: [name, dependencies.join(', '), instance === undefined ? '' : '✓'],
        }))}
      />
    </>
  );
}

/** Lists every page of the deployment and every menu entry, with the reason it is shown or hidden. */
function MenusSection() {
  const t = useTranslation();
  const tabs = useService(Tabs);
  const mayExplain = useCan(explainPage.code);
  const diagnostics = useDiagnostics();
  const [filter, setFilter] = useState('');
  usePinyin(filter !== '');
  const explanations = explainMenu(diagnostics).filter(({ code, title, pluginId }) => matchesSearch(`${code} ${t(title)} ${pluginId}`, filter));
  const explain = (about: string) => tabs.open({ location: `${explainPage.path}/index?about=${encodeURIComponent(about)}` });
  return (
    <>
      <FilterBar value={filter} onChange={setFilter}>
        <span className={styles.quiet}>{explanations.length}</span>
      </FilterBar>
      <Rows
        label={inspectorMessages.menus}
        heads={[inspectorMessages.page, inspectorMessages.result, inspectorMessages.plugin]}
        rows={explanations.slice(0, 500).map(({ code, title, pluginId, isShown, reason, about }, index) => ({
          key: `${index} ${code}`,
          tone: isShown ? 'plain' : 'warning',
          cells: [
            <>
              {t(title).slice(0, 80)} <span className={styles.quiet}>{code}</span>
            </>,
            <>
              {t(reason)}
              {about && mayExplain && (
                <span className={styles.bar}>
                  <button type="button" onClick={() => explain(about)}>
                    {t(inspectorMessages.explain)}
                  </button>
                </span>
              )}
            </>,
            pluginId,
          ],
        }))}
      />
    </>
  );
}

/** Lists the events since this section was first opened, with their causes and listeners. */
function EventsSection() {
  const t = useTranslation();
  const { events, replay } = useDiagnostics();
  const [log] = useState(events);
  const live = useStream(log.events$, log.events);
  const [pausedEvents, setPausedEvents] = useState<readonly LoggedEvent[]>();
  const [filter, setFilter] = useState('');
  const shown = (pausedEvents ?? live).filter(({ event, by, number }) => `${event} ${by ?? ''} #${number}`.toLowerCase().includes(filter.toLowerCase()));
  return (
    <>
      <FilterBar value={filter} onChange={setFilter}>
        <button type="button" aria-pressed={pausedEvents !== undefined} onClick={() => setPausedEvents(pausedEvents ? undefined : live)}>
          {t(pausedEvents ? inspectorMessages.resume : inspectorMessages.pause)}
        </button>
        <button type="button" onClick={() => log.clear()}>
          {t(inspectorMessages.clear)}
        </button>
      </FilterBar>
      {shown.length === 0 && <p className={styles.quiet}>{t(inspectorMessages.noEvents)}</p>}
      <ul className={styles.list} aria-label={t(inspectorMessages.events)}>
        {shown.map((event) => (
          <EventItem key={event.number} event={event} onReplay={() => replay(event)} />
        ))}
      </ul>
    </>
  );
}

function EventItem({ event: { number, at, event, payload, by, cause, receivedBy }, onReplay }: { readonly event: LoggedEvent; readonly onReplay: () => void }) {
  const t = useTranslation();
  const zone = useService(Session).user?.time_zone;
  const nameOf = (id: string | undefined) => id ?? t(inspectorMessages.console);
  const listenerNames = receivedBy.length === 0 ? t(inspectorMessages.noListeners) : [...new Set(receivedBy.map(nameOf))].join(', ');
  return (
    <li className={styles.event}>
      <span className={styles.quiet}>#{number}</span>
      <strong>{event}</strong>
      <span>{t(inspectorMessages.by, { who: nameOf(by) })}</span>
      {cause !== undefined && <span>{t(inspectorMessages.causedBy, { number: String(cause) })}</span>}
      <span>{t(inspectorMessages.receivedBy, { who: listenerNames })}</span>
      <time>{formatDateTime(at, zone)}</time>
      {process.env.NODE_ENV !== 'production' && (
        <button type="button" onClick={onReplay}>
          {t(inspectorMessages.replay)}
        </button>
      )}
      <pre>{formatValue(payload)}</pre>
    </li>
  );
}

/** Shows the state of this console: every store with its history in development, the current state of the services otherwise. */
function StoresSection() {
  const t = useTranslation();
  const { stores } = useDiagnostics();
  const [filter, setFilter] = useState('');
  const [, setRevision] = useState(0);
  const shown = stores()
    .map((store, index) => ({ store, key: `${index} ${store.name}` }))
    .filter(({ store }) => store.name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <>
      <FilterBar value={filter} onChange={setFilter}>
        <span className={styles.quiet}>{process.env.NODE_ENV === 'production' ? t(inspectorMessages.storesInDevelopment) : shown.length}</span>
      </FilterBar>
      <ul className={styles.list} aria-label={t(inspectorMessages.stores)}>
        {shown.map(({ store, key }) => (
          <StoreItem key={key} store={store} onRestored={() => setRevision((times) => times + 1)} />
        ))}
      </ul>
    </>
  );
}

function StoreItem({ store: { name, history, restore }, onRestored }: { readonly store: LoggedStore; readonly onRestored: () => void }) {
  const t = useTranslation();
  const zone = useService(Session).user?.time_zone;
  const [index, setIndex] = useState(history.length - 1);
  const shown = history[Math.min(index, history.length - 1)];
  const restoreState = () => {
    restore(shown?.state);
    onRestored();
  };
  return (
    <li className={styles.event}>
      <strong>{name}</strong>
      {history.length > 1 && (
        <>
          <input
            type="range"
            aria-label={name}
            min={0}
            max={history.length - 1}
            value={Math.min(index, history.length - 1)}
            onChange={({ target }) => setIndex(Number(target.value))}
          />
          <button type="button" onClick={restoreState}>
            {t(inspectorMessages.restore)}
          </button>
        </>
      )}
      <time>{shown && formatDateTime(shown.at, zone)}</time>
      <pre>{formatValue(shown?.state)}</pre>
    </li>
  );
}
