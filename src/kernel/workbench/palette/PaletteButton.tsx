import { useService } from '../../base/react/services.tsx';
import { useText } from '../../platform/i18n/use-words.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import { PaletteView } from './palette-view.ts';

/** Opens the palette for operators who do not know its shortcut. */
export function PaletteButton() {
  const text = useText();
  const view = useService(PaletteView);
  return (
    <IconButton label={text('palette.title')} aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" onClick={() => view.show('palette')}>
      <Icon name="search" />
    </IconButton>
  );
}
