import { useText } from '../../platform/i18n/use-words.ts';
import styles from './Palette.module.css';

const keys = [
  ['palette.keysMove', ['↑', '↓']],
  ['palette.keysOpen', ['Enter']],
  ['palette.keysWindow', ['Ctrl', 'Enter']],
] as const;

/** Lists the keyboard shortcuts on devices with a keyboard. */
export function PaletteKeys() {
  const text = useText();
  return (
    <dl className={styles.keys}>
      {keys.map(([name, parts]) => (
        <div key={name}>
          <dt>
            {parts.map((part) => (
              <kbd key={part}>{part}</kbd>
            ))}
          </dt>
          <dd>{text(name)}</dd>
        </div>
      ))}
    </dl>
  );
}
