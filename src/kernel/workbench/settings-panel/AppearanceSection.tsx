import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type AppearanceSettings, Theme } from '../../platform/theme/theme.ts';
import { themes } from '../../platform/theme/themes.ts';
import { Choices, Section } from './Choices.tsx';
import { ColourChoice } from './ColourChoice.tsx';

const densities = ['compact', 'default', 'comfortable'] as const;
const radii = ['own', 'none', 'small', 'large'] as const;
const texts = ['small', 'default', 'large', 'huge'] as const;

/** Sets colour, density, corner radius and text size. */
export function AppearanceSection() {
  const t = useTranslation();
  const theme = useService(Theme);
  const look = useStream(theme.look$, theme.look);
  const change = (next: Partial<AppearanceSettings>) => void theme.change(next);
  return (
    <Section title={t('settings.look')}>
      <ColourChoice colour={look.colour} own={themes[look.theme]?.accent} onChange={(colour) => change({ colour })} />
      <Choices
        label={t('settings.density')}
        value={look.density}
        choices={densities.map((value) => ({ value, label: t(`settings.densities.${value}`) }))}
        onChange={(density) => change({ density })}
      />
      <Choices
        label={t('settings.radius')}
        value={look.radius ?? 'own'}
        choices={radii.map((value) => ({ value, label: t(`settings.radii.${value}`) }))}
        onChange={(radius) => change({ radius: radius === 'own' ? undefined : radius })}
      />
      <Choices
        label={t('settings.text')}
        value={look.text}
        choices={texts.map((value) => ({ value, label: t(`settings.texts.${value}`) }))}
        onChange={(size) => change({ text: size })}
      />
    </Section>
  );
}
