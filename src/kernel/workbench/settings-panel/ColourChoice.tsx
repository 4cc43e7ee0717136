import { useId } from 'react';
import { useText, useWords } from '../../platform/i18n/use-words.ts';
import styles from './SettingsPanel.module.css';
import { swatches } from './swatches.ts';

interface ColourChoiceProps {
  /** Undefined selects the theme's own colour. */
  readonly colour: string | undefined;
  readonly own: string | undefined;
  readonly onChange: (colour: string | undefined) => void;
}

/** Selects the primary colour: the theme's own, one of a few swatches, or any other. */
export function ColourChoice({ colour, own, onChange }: ColourChoiceProps) {
  const text = useText();
  const say = useWords();
  const name = useId();
  const isCustom = colour !== undefined && !swatches.some(({ value }) => value === colour);
  return (
    <fieldset className={styles.colours}>
      <legend className={styles.label}>{text('settings.colour')}</legend>
      <label className={styles.swatch} title={text('settings.ownColour')}>
        <input type="radio" name={name} aria-label={text('settings.ownColour')} checked={colour === undefined} onChange={() => onChange(undefined)} />
        <span className={`${styles.dot} ${styles.ownColour}`} style={{ background: own }} />
      </label>
      {swatches.map(({ value, title }) => (
        <label key={value} className={styles.swatch} title={say(title)}>
          <input type="radio" name={name} aria-label={say(title)} checked={colour === value} onChange={() => onChange(value)} />
          <span className={styles.dot} style={{ background: value }} />
        </label>
      ))}
      <label className={styles.picker} data-chosen={isCustom} title={text('settings.anyColour')}>
        <input
          type="color"
          aria-label={text('settings.anyColour')}
          value={colour ?? own ?? swatches[0].value}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
    </fieldset>
  );
}
