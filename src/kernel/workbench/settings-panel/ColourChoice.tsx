import { useId } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
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
  const t = useTranslation();
  const name = useId();
  const isCustom = colour !== undefined && !swatches.some(({ value }) => value === colour);
  return (
    <fieldset className={styles.colours}>
      <legend className={styles.label}>{t('settings.colour')}</legend>
      <label className={styles.swatch} title={t('settings.ownColour')}>
        <input type="radio" name={name} aria-label={t('settings.ownColour')} checked={colour === undefined} onChange={() => onChange(undefined)} />
        <span className={`${styles.dot} ${styles.ownColour}`} style={{ background: own }} />
      </label>
      {swatches.map(({ value, title }) => (
        <label key={value} className={styles.swatch} title={t(title)}>
          <input type="radio" name={name} aria-label={t(title)} checked={colour === value} onChange={() => onChange(value)} />
          <span className={styles.dot} style={{ background: value }} />
        </label>
      ))}
      <label className={styles.picker} data-chosen={isCustom} title={t('settings.anyColour')}>
        <input
          type="color"
          aria-label={t('settings.anyColour')}
          value={colour ?? own ?? swatches[0].value}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
    </fieldset>
  );
}
