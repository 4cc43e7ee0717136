import { Branding, PasswordField, PasswordRules, TextField, useService, useTranslation } from '#kernel';
import type { AccountRequest, useAccountRequest } from './account-request.ts';
import { applicantMessages } from './messages.ts';

interface RegistrationFieldsProps {
  readonly request: ReturnType<typeof useAccountRequest>;
  /** Id of the element with the error message. */
  readonly describedBy: string | undefined;
}

/** Renders the fields of a registration: name, account and the password twice. */
export function RegistrationFields({ request: { entered, errors, change }, describedBy }: RegistrationFieldsProps) {
  const t = useTranslation();
  const { name: product } = useService(Branding);
  const field = (name: keyof AccountRequest) => {
    const problem = errors[name];
    return { name, value: entered[name], problem: problem && t(problem), describedBy, onChange: change(name) };
  };
  return (
    <>
      <TextField {...field('name')} label={t(applicantMessages.name)} autoComplete="name" maxLength={64} />
      <TextField
        {...field('account')}
        label={t(applicantMessages.account)}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={64}
        autoFocus
      />
      <PasswordField {...field('password')} label={t(applicantMessages.password)} autoComplete="new-password" />
      <PasswordRules password={entered.password} about={[entered.account, entered.name, product]} />
      <PasswordField {...field('password2')} label={t(applicantMessages.passwordAgain)} autoComplete="new-password" />
    </>
  );
}
