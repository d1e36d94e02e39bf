-- All files that an offering delivers. Without a value there is the one of "file" or none; the release before goes on to
-- write that column alone during a rollout, and so does this one for the first file.
ALTER TABLE offering ADD COLUMN files jsonb;
-- What is delivered beside the files.
ALTER TABLE offering ADD COLUMN delivery_text text NOT NULL DEFAULT '';
ALTER TABLE offering ADD COLUMN delivery_url text;
