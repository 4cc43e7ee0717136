import { useText } from '../i18n/use-words.ts';
import { PasswordField } from '../shell/PasswordField.tsx';
import { TextField } from '../shell/TextField.tsx';
import type { AccountWish, useAccountWish } from './account-wish.ts';

interface WishFieldsProps {
  readonly of: ReturnType<typeof useAccountWish>;
  /** The id of what went wrong. */
  readonly describedBy: string | undefined;
}

/** Name, account and a password twice. */
export function WishFields({ of: { entered, problems, change }, describedBy }: WishFieldsProps) {
  const text = useText();
  const field = (name: keyof AccountWish) => {
    const problem = problems[name];
    return { name, value: entered[name], problem: problem && text(problem), describedBy, onChange: change(name) };
  };
  return (
    <>
      <TextField {...field('name')} label={text('ways.guestName')} autoComplete="name" maxLength={64} />
      <TextField
        {...field('account')}
        label={text('ways.guestAccount')}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={64}
        autoFocus
      />
      <PasswordField {...field('password')} label={text('ways.guestPassword')} autoComplete="new-password" />
      <PasswordField {...field('password2')} label={text('ways.guestPasswordAgain')} autoComplete="new-password" />
    </>
  );
}
