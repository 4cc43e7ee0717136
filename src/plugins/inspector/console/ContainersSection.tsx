import { useState } from 'react';
import { Graph, useDiagnostics, useWords } from '#kernel';
import styles from './inspector.module.css';
import { Rows } from './Rows.tsx';
import { words } from './words.ts';

/** Draws the services of the console and of each plugin, with their dependencies and whether they have been created. */
export function ContainersSection() {
  const say = useWords();
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
      {edges.length > 0 && known.size === services.length && <Graph label={say(words.containers)} nodes={nodes} edges={edges} onChoose={() => undefined} />}
      <Rows
        label={say(words.containers)}
        heads={[words.service, words.needs, words.made].map((head) => say(head))}
        rows={services.map(({ name, needs, made }, place) => ({ key: `${place} ${name}`, cells: [name, needs.join(', '), made === undefined ? '' : '✓'] }))}
      />
    </>
  );
}
