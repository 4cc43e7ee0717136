import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../primitives/Icon.tsx';
import { IconButton } from '../primitives/IconButton.tsx';
import { TextField, type TextFieldProps } from './TextField.tsx';

/** Renders a password field that can show its input and warns when Caps Lock is on. */
export function PasswordField({ autoComplete, ...field }: Omit<TextFieldProps, 'type' | 'trailing' | 'hint'>) {
  const t = useTranslation();
  const [isShown, setIsShown] = useState(false);
  const [isCapsLocked, setIsCapsLocked] = useState(false);
  const watchCapsLock = (event: KeyboardEvent<HTMLInputElement>) => setIsCapsLocked(event.getModifierState?.('CapsLock') ?? false);

  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="off"
      spellCheck={false}
      onKeyDown={watchCapsLock}
      onKeyUp={watchCapsLock}
      onBlur={() => setIsCapsLocked(false)}
      hint={isCapsLocked ? t('signIn.capsLock') : undefined}
      trailing={
        <IconButton label={t(isShown ? 'signIn.hidePassword' : 'signIn.showPassword')} onClick={() => setIsShown(!isShown)}>
          <Icon name={isShown ? 'eyeClosed' : 'eye'} />
        </IconButton>
      }
    />
  );
}
