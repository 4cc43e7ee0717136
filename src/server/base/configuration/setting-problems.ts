import type { Configuration } from './configuration.ts';

/** Returns a sentence for each setting that another one requires and that is missing, and for each secret that is short or published. */
export function settingProblems({
  mode,
  databaseUrl,
  databaseDirectUrl,
  databaseReadUrl,
  secretKey,
  secretKeyFallbacks,
  clientSecret,
  metricsToken,
  captchaTestAnswer,
}: Configuration): string[] {
  const isStrict = databaseUrl !== undefined && mode !== 'development';
  const problems: string[] = [];
  if (databaseReadUrl !== undefined && databaseUrl === undefined) problems.push('DATABASE_READ_URL needs DATABASE_URL, the database that it is a copy of.');
  if (databaseDirectUrl !== undefined && databaseUrl === undefined) problems.push('DATABASE_DIRECT_URL needs DATABASE_URL, the pooler of that PostgreSQL.');
  if (captchaTestAnswer && mode !== 'test') problems.push('CAPTCHA_TEST_ANSWER disables the captcha and is only allowed with NODE_ENV=test. Remove it.');
  if (isStrict && !secretKey)
    problems.push('SECRET_KEY is missing. With DATABASE_URL it is required, with the same value on every replica. Generate one: openssl rand -base64 48');
  if (isStrict && !clientSecret)
    problems.push('CLIENT_SECRET is missing. With DATABASE_URL the console client needs its own secret. Generate one: openssl rand -base64 24');
  for (const [name, secret] of [['SECRET_KEY', secretKey] as const, ...secretKeyFallbacks.map((one) => ['SECRET_KEY_FALLBACKS', one] as const)]) {
    if (secret && Buffer.byteLength(secret) < 32) problems.push(`${name} is too short: each key needs at least 32 bytes.`);
    if (secret && isSample(secret)) problems.push(`${name} is a published sample or a pattern. Generate one: openssl rand -base64 48`);
  }
  if (isStrict && clientSecret && Buffer.byteLength(clientSecret) < 12) problems.push('CLIENT_SECRET is too short: it needs at least 12 bytes.');
  if (isStrict && clientSecret && isSample(clientSecret))
    problems.push('CLIENT_SECRET is a published sample or a pattern. Generate one: openssl rand -base64 24');
  if (metricsToken && (Buffer.byteLength(metricsToken) < 16 || isSample(metricsToken)))
    problems.push('METRICS_TOKEN is too short or a pattern: it needs at least 16 bytes. Generate one: openssl rand -hex 24');
  return problems;
}

const samples = /bladex|_secret$|change.?me|example|password|^secret|your.?(secret|key)|0123456789|qwerty|placeholder/i;

/** Recognizes secrets copied from documentation, and secrets of so few different characters that they only fill the field. */
function isSample(secret: string): boolean {
  return samples.test(secret) || new Set(secret).size < 8;
}
