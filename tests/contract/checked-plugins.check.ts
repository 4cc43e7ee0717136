/** Applies the rules for plugins to those that `npm run plugin -- check` names. All suites share one server; the last ones leave rows behind or end sessions. */
import './calls.test.ts';
import './archive.test.ts';
import './created-filter.test.ts';
import './field-rules.test.ts';
import './filter-census.test.ts';
import './list-parameters.test.ts';
import './references.test.ts';
import './search-sources.test.ts';
import './tenant-role-reads.test.ts';
import './versions.test.ts';
import './bladex-console.test.ts';
import './isolation.test.ts';
import './account-guards.test.ts';
import './hostile-input.test.ts';
