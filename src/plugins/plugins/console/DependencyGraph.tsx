import { Graph, useTranslation } from '#kernel';
import type { PluginRow } from '../contract.ts';
import { pluginMessages } from './messages.ts';
import styles from './plugins.module.css';

interface GraphProps {
  readonly rows: readonly PluginRow[];
  /** Plugins that the search has found; they are drawn with their neighbours. */
  readonly found: readonly PluginRow[];
  readonly onSelect: (id: string) => void;
}

/** Draws the plugins that depend on others, or on which others depend; a disabled one and one that failed are marked. */
export function DependencyGraph({ rows, found, onSelect }: GraphProps) {
  const t = useTranslation();
  const isIn = (list: readonly PluginRow[], id: string) => list.some((row) => row.id === id);
  const edges = rows
    .flatMap(({ id, needs }) => needs.map((needed) => ({ from: needed.id, to: id })))
    .filter(({ from, to }) => isIn(rows, from) && (isIn(found, from) || isIn(found, to)));
  const connected = rows.filter(({ id }) => edges.some(({ from, to }) => from === id || to === id));
  const others = found.filter(({ id }) => !isIn(connected, id)).length;
  const nodes = connected.map(({ id, title, state }) => ({
    nodeId: id,
    title: t(title),
    ...(state === 'off' ? { note: t(pluginMessages.off) } : {}),
    ...(state === 'leftOut' ? { note: t(pluginMessages.leftOut), tone: 'danger' } : {}),
  }));
  return (
    <>
      <Graph label={t(pluginMessages.graph)} nodes={nodes} edges={edges} onSelect={onSelect} />
      {others > 0 && <p className={styles.empty}>{t(pluginMessages.independent, { count: others })}</p>}
    </>
  );
}
