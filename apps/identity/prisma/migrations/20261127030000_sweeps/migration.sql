-- Changes whose mail is due, and those whose time is over.
CREATE INDEX account_change_unmailed_idx ON account_change (next_try_at) WHERE mailed_at IS NULL;
CREATE INDEX account_change_at_idx ON account_change (at);

-- Mails that are old news.
CREATE INDEX review_mail_made_at_idx ON review_mail (made_at);
CREATE INDEX dead_link_mail_made_at_idx ON dead_link_mail (made_at);
CREATE INDEX export_mail_expires_at_idx ON export_mail (expires_at);
