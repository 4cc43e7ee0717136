import { useId } from 'react';
import { createPortal } from 'react-dom';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type AppearanceSettings, appearances, densities, Theme } from '../../platform/theme/theme.ts';
import { type ThemeId, themes } from '../../platform/theme/themes.ts';
import { useIsDark } from '../../platform/theme/use-is-dark.ts';
import SidePanelSheet from '../../ui/overlays/SidePanelSheet.tsx';
import { Panels } from '../../ui/slots/Panels.tsx';
import { IdleChoice } from '../lock/IdleChoice.tsx';
import { SettingsSections } from '../slots.ts';
import { layouts, Preferences } from '../state/preferences.ts';
import { Choices, Section, SwitchRow } from './Choices.tsx';
import styles from './SettingsPanel.module.css';
import { swatches } from './swatches.ts';

const ids = Object.keys(themes) as ThemeId[];

/** Selects light or dark and the theme; the gallery previews each theme with its real tokens. */
function ThemeSection() {
  const t = useTranslation();
  const theme = useService(Theme);
  const settings = useStream(theme.settings$, theme.settings);
  const appearance = useStream(theme.appearance$, theme.appearance);
  const isDark = useIsDark();
  return (
    <Section title={t('settings.theme')}>
      <Choices
        label={t('settings.appearance')}
        value={appearance}
        choices={appearances.map((value) => ({ value, label: t(`shell.${value}`) }))}
        onChange={(value) => theme.select(value)}
      />
      <fieldset className={styles.gallery}>
        <legend className="visually-hidden">{t('settings.theme')}</legend>
        {ids.map((id) => (
          <label key={id} className={styles.theme}>
            <input type="radio" className="visually-hidden" name="theme" checked={settings.theme === id} onChange={() => void theme.change({ theme: id })} />
            <ThemePreview id={id} isDark={isDark} />
            <span>{t(themes[id].title)}</span>
          </label>
        ))}
      </fieldset>
    </Section>
  );
}

function ThemePreview({ id, isDark }: { readonly id: ThemeId; readonly isDark: boolean }) {
  return (
    <span className={styles.preview} data-theme={id} arco-theme={isDark ? 'dark' : undefined} aria-hidden="true">
      <span className={styles.previewSide}>
        <i className={styles.previewHead} />
        <i />
        <i className={styles.previewChosen} />
        <i />
      </span>
      <span className={styles.previewBar} />
      <span className={styles.previewTags}>
        <i />
        <i className={styles.previewTag} />
      </span>
      <span className={styles.previewPage}>
        <i />
        <b />
      </span>
    </span>
  );
}

const radii = ['theme', 'none', 'small', 'large'] as const;
const texts = ['small', 'default', 'large', 'huge'] as const;

/** Sets colour, density, corner radius and text size. */
function AppearanceSection() {
  const t = useTranslation();
  const theme = useService(Theme);
  const settings = useStream(theme.settings$, theme.settings);
  const change = (next: Partial<AppearanceSettings>) => void theme.change(next);
  return (
    <Section title={t('settings.style')}>
      <ColourChoice colour={settings.colour} own={themes[settings.theme]?.accent} onChange={(colour) => change({ colour })} />
      <Choices
        label={t('settings.density')}
        value={settings.density}
        choices={densities.map((value) => ({ value, label: t(`settings.densities.${value}`) }))}
        onChange={(density) => change({ density })}
      />
      <Choices
        label={t('settings.radius')}
        value={settings.radius ?? 'theme'}
        choices={radii.map((value) => ({ value, label: t(`settings.radii.${value}`) }))}
        onChange={(radius) => change({ radius: radius === 'theme' ? undefined : radius })}
      />
      <Choices
        label={t('settings.textSize')}
        value={settings.text}
        choices={texts.map((value) => ({ value, label: t(`settings.textSizes.${value}`) }))}
        onChange={(size) => change({ text: size })}
      />
    </Section>
  );
}

interface ColourChoiceProps {
  /** Undefined selects the theme's own colour. */
  readonly colour: string | undefined;
  readonly own: string | undefined;
  readonly onChange: (colour: string | undefined) => void;
}

/** Selects the primary colour: the theme's own, one of a few swatches, or any other. */
function ColourChoice({ colour, own, onChange }: ColourChoiceProps) {
  const t = useTranslation();
  const name = useId();
  const isCustom = colour !== undefined && !swatches.some(({ value }) => value === colour);
  return (
    <fieldset className={styles.colours}>
      <legend className={styles.label}>{t('settings.colour')}</legend>
      <label className={styles.swatch} title={t('settings.themeColour')}>
        <input type="radio" name={name} aria-label={t('settings.themeColour')} checked={colour === undefined} onChange={() => onChange(undefined)} />
        <span className={`${styles.dot} ${styles.ownColour}`} style={{ background: own }} />
      </label>
      {swatches.map(({ value, title }) => (
        <label key={value} className={styles.swatch} title={t(title)}>
          <input type="radio" name={name} aria-label={t(title)} checked={colour === value} onChange={() => onChange(value)} />
          <span className={styles.dot} style={{ background: value }} />
        </label>
      ))}
      <label className={styles.picker} data-chosen={isCustom} title={t('settings.customColour')}>
        <input
          type="color"
          aria-label={t('settings.customColour')}
          value={colour ?? own ?? swatches[0].value}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
    </fieldset>
  );
}

/** Edits the appearance and the layout of the console in a drawer; every change is applied and saved at once. */
export default function SettingsPanel({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslation();
  const theme = useService(Theme);
  const preferences = useService(Preferences);
  const reset = () => {
    theme.reset();
    preferences.reset();
  };
  return createPortal(
    <SidePanelSheet title={t('settings.title')} open width={420} onClose={onClose}>
      <div className={styles.panel}>
        <ThemeSection />
        <AppearanceSection />
        <ModeSection />
        <LayoutSection />
        <TabSection />
        <Section title={t('lock.lockScreen')}>
          <IdleChoice />
        </Section>
        <Panels slot={SettingsSections} frame={(title, content) => <Section title={title}>{content}</Section>} />
        <button type="button" className={styles.reset} onClick={reset}>
          {t('settings.reset')}
        </button>
      </div>
    </SidePanelSheet>,
    document.body,
  );
}

/** Sets the position of the menu. */
function LayoutSection() {
  const t = useTranslation();
  const preferences = useService(Preferences);
  const layout = useStore(preferences, (state) => state.layout);
  return (
    <Section title={t('settings.layout')}>
      <Choices
        label={t('settings.menu')}
        value={layout}
        choices={layouts.map((value) => ({ value, label: t(`settings.layouts.${value}`) }))}
        onChange={(next) => preferences.change({ layout: next })}
      />
    </Section>
  );
}

/** Sets the modes for colour-blind and grey display, and the watermark. */
function ModeSection() {
  const t = useTranslation();
  const theme = useService(Theme);
  const settings = useStream(theme.settings$, theme.settings);
  const preferences = useService(Preferences);
  const watermark = useStore(preferences, (state) => state.watermark);
  return (
    <Section title={t('settings.accessibility')}>
      <SwitchRow
        label={t('settings.colourBlind')}
        hint={t('settings.colourBlindHint')}
        isOn={settings.isWeak}
        onChange={(isWeak) => void theme.change({ isWeak })}
      />
      <SwitchRow label={t('settings.grey')} isOn={settings.isGrey} onChange={(isGrey) => void theme.change({ isGrey })} />
      <SwitchRow
        label={t('settings.watermark')}
        hint={t('settings.watermarkHint')}
        isOn={watermark}
        onChange={(isOn) => preferences.change({ watermark: isOn })}
      />
    </Section>
  );
}

/** Sets the tab bar and the behaviour of its tabs. */
function TabSection() {
  const t = useTranslation();
  const preferences = useService(Preferences);
  const { tagBar, homeTabClosable, restoreTabs } = useStore(preferences, (state) => state);
  return (
    <Section title={t('settings.tabs')}>
      <SwitchRow label={t('settings.showTagBar')} isOn={tagBar} onChange={(isOn) => preferences.change({ tagBar: isOn })} />
      <SwitchRow label={t('settings.homeTabClosable')} isOn={homeTabClosable} onChange={(isOn) => preferences.change({ homeTabClosable: isOn })} />
      <SwitchRow
        label={t('settings.restoreTabs')}
        hint={t('settings.restoreTabsHint')}
        isOn={restoreTabs}
        onChange={(isOn) => preferences.change({ restoreTabs: isOn })}
      />
    </Section>
  );
}
