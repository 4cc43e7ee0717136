import { type SQL, sql } from 'drizzle-orm';
import type { Language } from '#shared/text';

/** Name of a job in a language, for statements in which `j` is `job_info`. */
export const jobNameIn = (language: Language): SQL => (language === 'en' ? sql`coalesce(nullif(j.job_name_en, ''), j.job_name)` : sql`j.job_name`);
