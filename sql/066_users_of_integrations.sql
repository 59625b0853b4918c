-- A user without email is an integration: a program of the organisation, which has tokens and never signs in.
ALTER TABLE users MODIFY email VARCHAR(254) NULL, MODIFY email_key VARBINARY(1024) NULL;
