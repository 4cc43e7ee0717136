import { type KeyboardEvent, useState } from 'react';
import { useText } from '../i18n/use-words.ts';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { TextField, type TextFieldProps } from './TextField.tsx';

/** A password that can be looked at while it is typed, with a word when Caps Lock is on. */
export function PasswordField({ autoComplete, ...field }: Omit<TextFieldProps, 'type' | 'trailing' | 'hint'>) {
  const text = useText();
  const [isShown, setShown] = useState(false);
  const [isCapsLocked, setCapsLocked] = useState(false);
  const watchCapsLock = (event: KeyboardEvent<HTMLInputElement>) => setCapsLocked(event.getModifierState?.('CapsLock') ?? false);

  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="off"
      spellCheck={false}
      onKeyDown={watchCapsLock}
      onKeyUp={watchCapsLock}
      onBlur={() => setCapsLocked(false)}
      hint={isCapsLocked ? text('signIn.capsLock') : undefined}
      trailing={
        <IconButton label={text(isShown ? 'signIn.hidePassword' : 'signIn.showPassword')} onClick={() => setShown(!isShown)}>
          <Icon name={isShown ? 'eyeClosed' : 'eye'} />
        </IconButton>
      }
    />
  );
}
