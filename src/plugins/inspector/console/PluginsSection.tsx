import { useState } from 'react';
import { Graph, matchesSearch, type PluginState, useDiagnostics, usePinyin, useQuery, useTranslation } from '#kernel';
import { serverContributions } from '../contract.ts';
import { contributionsOf, fromServer } from './inspection.ts';
import styles from './inspector.module.css';
import { inspectorMessages } from './messages.ts';
import { FilterBar, Rows } from './Rows.tsx';

const tones: Readonly<Partial<Record<PluginState['status'], string>>> = { running: 'good', quarantined: 'danger', skipped: 'warning', disabled: 'warning' };

/** Lists every plugin of the deployment: its status, the duration of each phase, and the reason it does not run. */
export function PluginsSection() {
  const t = useTranslation();
  const { states } = useDiagnostics();
  const heads = [inspectorMessages.plugin, inspectorMessages.state, inspectorMessages.timings, inspectorMessages.faults, inspectorMessages.cause];
  const rows = states.map(({ id, title, status, timings, faults, cause }) => ({
    key: id,
    tone: tones[status] ?? 'plain',
    cells: [
      <>
        {t(title).slice(0, 80)} <span className={styles.quiet}>{id}</span>
      </>,
      status,
      Object.entries(timings)
        .map(([phase, time]) => `${phase} ${time.toFixed(1)} ms`)
        .join(', '),
      faults,
      cause ? t(cause.text) : '',
    ],
  }));
  return <Rows label={inspectorMessages.plugins} heads={heads} rows={rows} />;
}

/** Draws the required and the optional dependencies of plugins; details of the selected one are shown below. */
export function GraphSection() {
  const t = useTranslation();
  const { states, definitions } = useDiagnostics();
  const [selectedId, setSelectedId] = useState<string>();
  const state = states.find(({ id }) => id === selectedId);
  const pluginIds = new Set(states.map(({ id }) => id));
  const optionalDependencies = new Map(definitions.map(({ id, optionalDependencies: optional = [] }) => [id, optional]));
  const edges = states.flatMap(({ id, dependencies }) =>
    [...dependencies, ...(optionalDependencies.get(id) ?? [])].filter((from) => pluginIds.has(from)).map((from) => ({ from, to: id })),
  );
  const nodes = states.map(({ id, status }) => ({ nodeId: id, title: id, note: status, ...(tones[status] ? { tone: tones[status] as string } : {}) }));
  return (
    <>
      <Graph label={t(inspectorMessages.graph)} nodes={nodes} edges={edges} selected={selectedId} onSelect={setSelectedId} />
      {state && <p>{[t(state.title).slice(0, 80), state.status, state.cause ? t(state.cause.text) : ''].filter(Boolean).join(' · ')}</p>}
    </>
  );
}

/** Lists the contributions of each running plugin to the console and to the server. */
export function ContributionsSection() {
  const t = useTranslation();
  const diagnostics = useDiagnostics();
  const server = useQuery(serverContributions, {}, { quiet: true });
  const [filter, setFilter] = useState('');
  usePinyin(filter !== '');
  const all = [...contributionsOf(diagnostics), ...fromServer(server.data ?? [])].filter(({ kind, what, pluginId }) =>
    matchesSearch(`${t(kind)} ${what} ${pluginId}`, filter),
  );
  const heads = [inspectorMessages.kind, inspectorMessages.content, inspectorMessages.plugin];
  return (
    <>
      <FilterBar value={filter} onChange={setFilter}>
        <span className={styles.quiet}>{all.length}</span>
      </FilterBar>
      <Rows
        label={inspectorMessages.contributions}
        heads={heads}
        rows={all.slice(0, 500).map(({ kind, what, pluginId, isOff }, index) => ({
          key: `${index} ${what}`,
          tone: isOff ? 'warning' : 'plain',
          cells: [t(kind), what, pluginId],
        }))}
      />
    </>
  );
}
