import { type KeyboardEvent, useId, useRef } from 'react';
import { depthsOf } from '#shared/dag';
import styles from './graph.module.css';

/** A node of the drawing. */
export interface GraphNode {
  readonly nodeId: string;
  readonly title: string;
  /** Text beside the title. */
  readonly note?: string;
  readonly tone?: string;
}

interface GraphProps {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly selected?: string | undefined;
  readonly onSelect: (nodeId: string) => void;
  /** Called when a node was dragged onto another. */
  readonly onConnect?: (from: string, to: string) => void;
  readonly onRemove?: (nodeId: string) => void;
}

const size = { width: 170, height: 52, across: 230, down: 76, edge: 16 } as const;
/** Longest title in letters; a Chinese character counts as two. */
const maxTitleWidth = 22;
const letterWidth = (letter: string) => (letter > '\u2e80' ? 2 : 1);

function truncate(text: string): string {
  let width = 0;
  const letters = [...text];
  const end = letters.findIndex((letter) => {
    width += letterWidth(letter);
    return width > maxTitleWidth;
  });
  return end < 0 ? text : `${letters.slice(0, end - 1).join('')}…`;
}

/** Draws nodes from left to right in the order of execution, with edges for their dependencies. */
export function Graph({ label, nodes, edges, selected, onSelect, onConnect, onRemove }: GraphProps) {
  const arrow = useId();
  const dragged = useRef<string>(undefined);
  const positions = layoutOf(nodes, edges);
  const all = [...positions.values()];
  const width = Math.max(0, ...all.map(({ x }) => x)) + size.width + 2 * size.edge;
  const height = Math.max(0, ...all.map(({ y }) => y)) + size.height + 2 * size.edge;
  const onKeyDown = (nodeId: string) => (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') onSelect(nodeId);
    else if ((event.key === 'Delete' || event.key === 'Backspace') && onRemove) onRemove(nodeId);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.scroll}>
      {/* biome-ignore lint/a11y/useSemanticElements: SVG has no grouping element with a name */}
      <svg className={styles.graph} role="group" aria-label={label} width={width} height={height} viewBox={`${-size.edge} ${-size.edge} ${width} ${height}`}>
        <defs>
          <marker id={arrow} viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 L8 4 L0 8 z" className={styles.arrow} />
          </marker>
        </defs>
        {edges.map(({ from, to }) => {
          const [start, end] = [positions.get(from), positions.get(to)];
          if (!start || !end) return null;
          const [x, y] = [start.x + size.width, start.y + size.height / 2];
          const [endX, endY] = [end.x - 2, end.y + size.height / 2];
          const middle = (x + endX) / 2;
          return (
            <path
              key={`${from} ${to}`}
              className={styles.edge}
              d={`M${x} ${y} C${middle} ${y} ${middle} ${endY} ${endX} ${endY}`}
              markerEnd={`url(#${arrow})`}
            />
          );
        })}
        {nodes.map(({ nodeId, title, note, tone }) => {
          const { x, y } = positions.get(nodeId) ?? { x: 0, y: 0 };
          return (
            // biome-ignore lint/a11y/useSemanticElements: a drawing has no button
            <g
              key={nodeId}
              role="button"
              tabIndex={0}
              aria-label={note ? `${title} · ${note}` : title}
              aria-pressed={selected === nodeId}
              className={styles.node}
              data-tone={tone}
              transform={`translate(${x} ${y})`}
              onKeyDown={onKeyDown(nodeId)}
              onClick={() => onSelect(nodeId)}
              onPointerDown={() => {
                dragged.current = nodeId;
              }}
              onPointerUp={() => {
                const from = dragged.current;
                dragged.current = undefined;
                if (from !== undefined && from !== nodeId) onConnect?.(from, nodeId);
              }}
            >
              <title>{title}</title>
              <rect width={size.width} height={size.height} rx="8" />
              <text x={12} y={note ? 22 : 31}>
                {truncate(title)}
              </text>
              {note && (
                <text x={12} y={40} className={styles.note}>
                  {note}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

function layoutOf(nodes: GraphProps['nodes'], edges: GraphProps['edges']): ReadonlyMap<string, { x: number; y: number }> {
  const depths = depthsOf({ nodes, edges });
  const rowCounts = new Map<number, number>();
  return new Map(
    nodes.map(({ nodeId }) => {
      const depth = depths?.get(nodeId) ?? 0;
      const row = rowCounts.get(depth) ?? 0;
      rowCounts.set(depth, row + 1);
      return [nodeId, { x: depth * size.across, y: row * size.down }];
    }),
  );
}
