import { createPortal } from 'react-dom';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Theme } from '../../platform/theme/theme.ts';
import SidePanelSheet from '../../ui/overlays/SidePanelSheet.tsx';
import { Panels } from '../../ui/slots/Panels.tsx';
import { IdleChoice } from '../lock/IdleChoice.tsx';
import { SettingsSections } from '../slots.ts';
import { Preferences } from '../state/preferences.ts';
import { AppearanceSection } from './AppearanceSection.tsx';
import { Choices, Section, Switch } from './Choices.tsx';
import styles from './SettingsPanel.module.css';
import { ThemeSection } from './ThemeSection.tsx';

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
        <Panels of={SettingsSections} frame={(title, content) => <Section title={title}>{content}</Section>} />
        <button type="button" className={styles.reset} onClick={reset}>
          {t('settings.reset')}
        </button>
      </div>
    </SidePanelSheet>,
    document.body,
  );
}

const layouts = ['side', 'top', 'mixed'] as const;

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
  const look = useStream(theme.look$, theme.look);
  const preferences = useService(Preferences);
  const watermark = useStore(preferences, (state) => state.watermark);
  return (
    <Section title={t('settings.modes')}>
      <Switch label={t('settings.weak')} hint={t('settings.weakHint')} isOn={look.isWeak} onChange={(isWeak) => void theme.change({ isWeak })} />
      <Switch label={t('settings.grey')} isOn={look.isGrey} onChange={(isGrey) => void theme.change({ isGrey })} />
      <Switch
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
  const tagBar = useStore(preferences, (state) => state.tagBar);
  const homeTabClosable = useStore(preferences, (state) => state.homeTabClosable);
  const restoreTabs = useStore(preferences, (state) => state.restoreTabs);
  return (
    <Section title={t('settings.tabs')}>
      <Switch label={t('settings.tagBar')} isOn={tagBar} onChange={(isOn) => preferences.change({ tagBar: isOn })} />
      <Switch label={t('settings.homeTabClosable')} isOn={homeTabClosable} onChange={(isOn) => preferences.change({ homeTabClosable: isOn })} />
      <Switch
        label={t('settings.restoreTabs')}
        hint={t('settings.restoreTabsHint')}
        isOn={restoreTabs}
        onChange={(isOn) => preferences.change({ restoreTabs: isOn })}
      />
    </Section>
  );
}
