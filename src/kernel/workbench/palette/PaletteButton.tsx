import { useService } from '../../base/react/services.tsx';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import { PaletteView } from './palette-view.ts';

/** Opens the palette for operators who do not know its shortcut. */
export function PaletteButton() {
  const t = useTranslation();
  const view = useService(PaletteView);
  return (
    <IconButton label={t('palette.title')} aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" onClick={() => view.show('palette')}>
      <Icon name="search" />
    </IconButton>
  );
}
