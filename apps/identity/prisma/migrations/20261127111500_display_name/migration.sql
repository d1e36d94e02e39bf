-- What mails greet the owner by. creators owns it: this is a copy as of a version of the profile.
ALTER TABLE account ADD COLUMN display_name text;
ALTER TABLE account ADD COLUMN profile_version integer NOT NULL DEFAULT 0;
