import { useState } from 'react';
import { Graph, useDiagnostics, useTranslation } from '#kernel';
import styles from './inspector.module.css';
import { words } from './messages.ts';
import { Rows } from './Rows.tsx';

/** Draws the services of the console and of each plugin, with their dependencies and whether they have been created. */
export function ContainersSection() {
  const t = useTranslation();
  const containers = useDiagnostics().containers();
  const [owner, setOwner] = useState('console');
  const chosen = containers.find((container) => container.owner === owner) ?? containers[0];
  const services = chosen?.services ?? [];
  // A production build shortens class names and repeats some, so a drawing could not tell them apart.
  const known = new Set(services.map(({ name }) => name));
  const outside = [...new Set(services.flatMap(({ needs }) => needs))].filter((name) => !known.has(name));
  const nodes = [
    ...services.map(({ name, made }) => ({ nodeId: name, title: name, ...(made === undefined ? {} : { tone: 'good' }) })),
    ...outside.map((name) => ({ nodeId: name, title: name, note: 'console' })),
  ];
  const edges = services.flatMap(({ name, needs }) => needs.map((from) => ({ from, to: name })));
  return (
    <>
      <div className={styles.bar}>
        {containers.map((container) => (
          <button key={container.owner} type="button" aria-pressed={container.owner === owner} onClick={() => setOwner(container.owner)}>
            {container.owner} {container.services.length}
          </button>
        ))}
      </div>
      {edges.length > 0 && known.size === services.length && <Graph label={t(words.containers)} nodes={nodes} edges={edges} onChoose={() => undefined} />}
      <Rows
        label={t(words.containers)}
        heads={[words.service, words.needs, words.made].map((head) => t(head))}
        rows={services.map(({ name, needs, made }, index) => ({ key: `${index} ${name}`, cells: [name, needs.join(', '), made === undefined ? '' : '✓'] }))}
      />
    </>
  );
}
