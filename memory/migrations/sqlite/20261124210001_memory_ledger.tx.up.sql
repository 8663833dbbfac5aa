-- The bookkeeping of each assistant message is a column each, as memory.Ledger names them; json is no longer read.
ALTER TABLE ledgers ADD COLUMN model_calls BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE ledgers ADD COLUMN prompt_tokens BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE ledgers ADD COLUMN completion_tokens BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE ledgers ADD COLUMN cached_tokens BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE ledgers ADD COLUMN system_tokens BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE ledgers ADD COLUMN document_tokens BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE ledgers ADD COLUMN verified BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE ledgers ADD COLUMN unchecked BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE ledgers ADD COLUMN left_out BIGINT NOT NULL DEFAULT 0;

--bun:split

ALTER TABLE ledgers ADD COLUMN not_found BOOLEAN NOT NULL DEFAULT FALSE;

--bun:split

ALTER TABLE ledgers ADD COLUMN route TEXT NOT NULL DEFAULT '';

--bun:split

ALTER TABLE ledgers ADD COLUMN model TEXT NOT NULL DEFAULT '';

--bun:split

ALTER TABLE ledgers ADD COLUMN millis BIGINT NOT NULL DEFAULT 0;

--bun:split

UPDATE ledgers SET model_calls = COALESCE(json_extract(json, '$.model_calls'), 0), prompt_tokens = COALESCE(json_extract(json, '$.prompt_tokens'), 0),
    completion_tokens = COALESCE(json_extract(json, '$.completion_tokens'), 0), cached_tokens = COALESCE(json_extract(json, '$.cached_tokens'), 0),
    system_tokens = COALESCE(json_extract(json, '$.system_tokens'), 0), document_tokens = COALESCE(json_extract(json, '$.document_tokens'), 0),
    verified = COALESCE(json_extract(json, '$.verified'), 0), unchecked = COALESCE(json_extract(json, '$.unchecked'), 0),
    left_out = COALESCE(json_extract(json, '$.left_out'), 0), not_found = COALESCE(json_extract(json, '$.not_found'), FALSE),
    route = COALESCE(json_extract(json, '$.route'), ''), model = COALESCE(json_extract(json, '$.model'), ''), millis = COALESCE(json_extract(json, '$.millis'), 0),
    json = '';
