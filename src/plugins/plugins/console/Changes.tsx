import styles from './plugins.module.css';

interface ChangesProps {
  readonly title: string;
  readonly changes: readonly string[];
}

/** Lists what a version of a package changes. */
export function Changes({ title, changes }: ChangesProps) {
  return (
    <section className={styles.changes}>
      <h3>{title}</h3>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </section>
  );
}
