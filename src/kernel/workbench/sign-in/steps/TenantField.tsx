import { signInMethodTexts } from '../../../platform/i18n/texts.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { WithTexts } from '../../../platform/i18n/WithTexts.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import styles from '../styles/SignInPage.module.css';
import type { SignInTenant } from './sign-in-tenant.ts';

interface TenantFieldProps {
  readonly tenant: SignInTenant;
  readonly isMissing: boolean;
}

/** Asks for the tenant where the address does not determine it. */
export function TenantField(props: TenantFieldProps) {
  return (
    <WithTexts part={signInMethodTexts} fallback={<div className={styles.fieldPlaceholder} />}>
      <Field {...props} />
    </WithTexts>
  );
}

function Field({ tenant, isMissing }: TenantFieldProps) {
  const t = useTranslation();
  return (
    <TextField
      name="tenant"
      label={t('signInMethods.tenant')}
      value={tenant.tenantId}
      onChange={(value) => tenant.type(value.trim())}
      onBlur={tenant.settle}
      autoComplete="organization"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={12}
      problem={isMissing ? t('signInMethods.enterTenant') : undefined}
    />
  );
}
