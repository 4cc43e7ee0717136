import { Button, Input, Radio, Select, Tooltip } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import {
  Dialogs,
  Http,
  Live,
  matchesSearch,
  PluginHost,
  type PluginState,
  Session,
  Switch,
  Tag,
  Toasts,
  type Translate,
  useAddressParameter,
  useCan,
  usePageStore,
  usePinyin,
  useQuery,
  useService,
  useStore,
  useStream,
  useTranslation,
} from '#kernel';
import { PluginsSwitched } from '#shared/disabled-plugins';
import type { LocalizedText } from '#shared/text';
import { everyTenant, type PluginRow, plugins } from '../contract.ts';
import { type InstalledPackage, packages } from '../package-contract.ts';
import { DependencyGraph } from './DependencyGraph.tsx';
import { pluginMessages } from './messages.ts';
import { PackageActions } from './PackageActions.tsx';
import { PackageInstaller } from './PackageInstaller.tsx';
import { PluginDetails } from './PluginDetails.tsx';
import styles from './plugins.module.css';
import { consoleOnlyRows, isDown, PluginsStore } from './plugins-store.ts';

/**
 * Lists the plugins of the deployment. Top task: disable a plugin for my tenant without surprises, 2 clicks (its switch, 停用): the confirmation names the plugins, pages and
 * jobs that are disabled with it.
 */
export default function PluginsPage() {
  const http = useService(Http);
  const live = useService(Live);
  const host = useService(PluginHost);
  const { user } = useService(Session);
  const t = useTranslation();
  const isPlatformAdministrator = user?.tenant_id === '000000' && user.role_name.split(',').includes('administrator');
  const store = usePageStore(() => new PluginsStore(http, isPlatformAdministrator ? everyTenant : (user?.tenant_id ?? '')));
  const state = useStore(store, (all) => all);
  const { rows: served, status, query } = state;
  const states = useStream(host.states$, host.states);
  const canInstall = useCan('plugin_install') && isPlatformAdministrator;
  const { data: installed, refetch } = useQuery(packages.list, {}, { quiet: true, enabled: canInstall });
  const reload = () => {
    void store.load();
    refetch();
  };
  const rows = status === 'ready' ? [...served, ...consoleOnlyRows(host, state)] : served;
  useEffect(() => {
    void store.load();
    const following = live.stream(PluginsSwitched).subscribe(() => void store.load());
    return () => following.unsubscribe();
  }, [store, live]);
  usePinyin(query !== '');
  const [layout, setLayout] = useAddressParameter('shown', ['list', 'graph']);
  const packageOf = ({ id }: PluginRow) => installed?.packages.find((one) => one.id === id);
  const found = rows.filter(({ id, title }) => [id, ...title].some((text) => matchesSearch(text, query)));
  // Plugins from packages are the ones that are changed here, so they come first.
  const ordered = [...found.filter(packageOf), ...found.filter((row) => !packageOf(row))];
  const isRunning = ({ id, state }: PluginRow) => state === 'running' && !isDown(states.find((one) => one.id === id));
  const counts = { running: rows.filter(isRunning).length, off: rows.filter(({ state }) => state === 'off').length };
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        {isPlatformAdministrator && <ScopeSelect store={store} />}
        <div className={styles.find}>
          <Input.Search
            allowClear
            placeholder={t(pluginMessages.find)}
            aria-label={t(pluginMessages.find)}
            value={query}
            onChange={(text) => store.search(text)}
          />
        </div>
        <Radio.Group
          type="button"
          name="plugins-layout"
          aria-label={t(pluginMessages.layout)}
          value={layout}
          onChange={setLayout}
          options={[
            { value: 'list', label: t(pluginMessages.asList) },
            { value: 'graph', label: t(pluginMessages.asGraph) },
          ]}
        />
        <span className={styles.counts}>{status === 'ready' && t(pluginMessages.count, counts)}</span>
        {installed && (
          <div className={styles.install}>
            <PackageInstaller accepted={installed.accepted} onInstalled={reload} />
          </div>
        )}
      </div>
      {status === 'failed' && (
        <p className={styles.empty} role="alert">
          {t(pluginMessages.failed)}{' '}
          <Button type="text" onClick={() => void store.load()}>
            {t(pluginMessages.again)}
          </Button>
        </p>
      )}
      {layout === 'graph' ? (
        <DependencyGraph
          rows={rows}
          found={found}
          onSelect={(id) => {
            store.search(id);
            setLayout('list');
          }}
        />
      ) : (
        <ul className={styles.list} aria-busy={status === 'loading'}>
          {ordered.map((row) => (
            <PluginItem key={row.id} row={row} store={store} here={states.find(({ id }) => id === row.id)} installed={packageOf(row)} onChanged={reload} />
          ))}
        </ul>
      )}
      {status === 'ready' && found.length === 0 && <p className={styles.empty}>{t(pluginMessages.nothingFound)}</p>}
    </div>
  );
}

/** Selects the scope of the switches: all tenants, or one found by its name or code. */
function ScopeSelect({ store }: { readonly store: PluginsStore }) {
  const t = useTranslation();
  const { scope } = useStore(store, (state) => state);
  const [name, setName] = useState('');
  const { data: tenants = [] } = useQuery(plugins.tenants, { name }, { quiet: true, keepPreviousData: true });
  const options = [{ value: everyTenant, label: t(pluginMessages.everyTenant) }, ...tenants.map(({ id, name }) => ({ value: id, label: `${name} · ${id}` }))];
  return (
    <div className={styles.place}>
      <Select
        aria-label={t(pluginMessages.scope)}
        showSearch
        filterOption={false}
        options={options.some(({ value }) => value === scope) ? options : [...options, { value: scope, label: scope }]}
        value={scope}
        onSearch={setName}
        onChange={(selected: string) => {
          store.selectScope(selected, tenants.find(({ id }) => id === selected)?.name);
          setName('');
        }}
      />
    </div>
  );
}

interface ItemProps {
  readonly row: PluginRow;
  readonly store: PluginsStore;
  /** State of the plugin in this browser; undefined when it has no console half. */
  readonly here: PluginState | undefined;
  /** Package that the plugin runs from; undefined for a plugin of the build. */
  readonly installed: InstalledPackage | undefined;
  readonly onChanged: () => void;
}

/** Shows one plugin with its state, its dependencies and its switch. */
function PluginItem({ row, store, here, installed, onChanged }: ItemProps) {
  const t = useTranslation();
  const canToggle = useCan('plugin_switch');
  const { togglingIds } = useStore(store, (state) => state);
  const { toggle, retry, retryServer } = usePluginToggle(store, row);
  const down = row.state === 'running' && isDown(here) ? here : undefined;
  const cause = down?.cause?.text ?? row.reason;
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <strong>{t(row.title)}</strong> <code>{row.version ? `${row.id} ${row.version}` : row.id}</code>
        <StateTag row={row} here={down?.status} />
        {here !== undefined && here.faults > 0 && <Tag tone="warning">{t(pluginMessages.faults, { count: here.faults })}</Tag>}
        {row.strayErrors > 0 && <Tag tone="warning">{t(pluginMessages.strayErrors, { count: row.strayErrors })}</Tag>}
        {installed && <PackageActions row={row} installed={installed} onChanged={onChanged} onUninstalled={() => store.hideUninstalled(row.id)} />}
        {cause && <span className={styles.cause}>{t(cause)}</span>}
        {down && (
          <Button size="mini" onClick={() => void retry()}>
            {t(pluginMessages.retry)}
          </Button>
        )}
        {row.failsEachTime && canToggle && (
          <Button size="mini" onClick={() => void retryServer()}>
            {t(pluginMessages.retry)}
          </Button>
        )}
      </div>
      {installed?.description && <p className={styles.description}>{installed.description}</p>}
      <dl className={styles.facts}>
        <Fact title={pluginMessages.needs} values={row.needs.map(({ title }) => title)} />
        <Fact title={pluginMessages.neededBy} values={row.neededBy.map(({ title }) => title)} />
        <Fact title={pluginMessages.pages} values={row.pages} />
        <Fact title={pluginMessages.jobs} values={row.jobs} />
      </dl>
      <PluginDetails row={row} installed={installed} />
      <Tooltip content={row.fixed && t(row.fixed)} disabled={!row.fixed}>
        <div className={styles.switch}>
          <Switch
            isOn={row.state !== 'off'}
            disabled={!canToggle || row.fixed !== undefined}
            isBusy={togglingIds.includes(row.id)}
            aria-label={t(row.title)}
            onChange={(on) => void toggle(on)}
          />
        </div>
      </Tooltip>
    </li>
  );
}

function StateTag({ row: { state }, here }: { readonly row: PluginRow; readonly here: PluginState['status'] | undefined }) {
  const t = useTranslation();
  if (state === 'off') return <Tag tone="neutral">{t(pluginMessages.off)}</Tag>;
  if (state === 'leftOut') return <Tag tone="danger">{t(pluginMessages.leftOut)}</Tag>;
  if (here) return <Tag tone="danger">{t(here === 'quarantined' ? pluginMessages.quarantined : pluginMessages.notHere)}</Tag>;
  return <Tag tone="good">{t(pluginMessages.running)}</Tag>;
}

function Fact({ title, values }: { readonly title: LocalizedText; readonly values: readonly LocalizedText[] }) {
  const t = useTranslation();
  if (values.length === 0) return null;
  return (
    <div>
      <dt>{t(title)}</dt>
      <dd>{values.map((value) => t(value)).join(t(pluginMessages.listSeparator))}</dd>
    </div>
  );
}

/** Enables and disables a plugin. Disabling asks for a confirmation that lists its effects, and asks about unsaved changes in this browser first. */
function usePluginToggle(store: PluginsStore, row: PluginRow) {
  const host = useService(PluginHost);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const { user } = useService(Session);
  const t = useTranslation();
  const plugin = t(row.title);

  const disable = async () => {
    const { scope, tenantName, rows } = store.state;
    const isOwnScope = scope === everyTenant || scope === user?.tenant_id;
    const content = impactOfDisabling(row, rows, { scope: isOwnScope && scope !== everyTenant ? undefined : scope, tenant: tenantName ?? scope }, t);
    const confirm = t(pluginMessages.switchOff);
    if (!(await dialogs.confirm({ title: t(pluginMessages.question, { plugin }), content, confirm, cancel: t(pluginMessages.cancel), danger: true }))) return;
    const isRunning = isOwnScope && host.states.some(({ id, status }) => id === row.id && status === 'running');
    if (isRunning && !(await host.disable(row.id))) return;
    if (await store.setEnabled(row.id, false)) toasts.success(t(pluginMessages.switchedOff, { plugin }));
    else if (isRunning) await host.enable(row.id);
  };
  const enable = async () => {
    if (await store.setEnabled(row.id, true)) toasts.success(t(pluginMessages.switchedOn, { plugin }));
  };
  return {
    toggle: (on: boolean) => (on ? enable() : disable()),
    retryServer: async () => {
      if (await store.retry(row.id)) toasts.success(t(pluginMessages.retriedAtStart));
    },
    retry: async () => {
      const runs = await host.enable(row.id);
      if (runs) toasts.success(t(pluginMessages.retried));
      else toasts.warning(t(pluginMessages.stillFails));
    },
  };
}

/** Describes the effects of disabling a plugin in sentences; effects that do not occur are left out. */
function impactOfDisabling(
  row: PluginRow,
  rows: readonly PluginRow[],
  /** Scope in which it is disabled; the operator's own tenant by default. */
  { scope, tenant }: { readonly scope: string | undefined; readonly tenant: string },
  t: Translate,
): string {
  const affected = [row, ...rows.filter(({ id }) => row.neededBy.some((one) => one.id === id))];
  const joinTexts = (texts: readonly LocalizedText[]) => texts.map((one) => t(one)).join(t(pluginMessages.listSeparator));
  const pages = affected.flatMap((one) => one.pages);
  const jobs = affected.flatMap((one) => one.jobs);
  const sum = (amountOf: (one: PluginRow) => number) => affected.reduce((total, one) => total + amountOf(one), 0);
  const [checks, rounds] = [sum((one) => one.checks), sum((one) => one.rounds)];
  const isForAll = scope === everyTenant;
  const sentences = [
    isForAll ? t(pluginMessages.inAllTenants) : scope === undefined ? t(pluginMessages.inOwnTenant) : t(pluginMessages.inTenant, { tenant }),
    row.neededBy.length > 0 && t(pluginMessages.alsoDisables, { plugins: joinTexts(row.neededBy.map(({ title }) => title)) }),
    pages.length > 0 && t(pluginMessages.pagesRemoved, { count: pages.length, pages: joinTexts(pages) }),
    jobs.length > 0 && t(pluginMessages.jobsPause, { jobs: joinTexts(jobs) }),
    isForAll && rounds > 0 && t(pluginMessages.tasksPause, { count: rounds }),
    isForAll && checks > 0 && t(pluginMessages.checksStop, { count: checks }),
    t(pluginMessages.dataStays),
  ];
  return sentences.filter(Boolean).join(t(pluginMessages.sentenceSeparator));
}
