# Starts one agent, waits for it whatever becomes of the runner, and writes down how it ended; then
# waits until no process is left below it.
#   perl supervise.pl PRCTL DIRECTORY COMMAND...
# PRCTL is the number of that system call. It makes every orphan below this process its child, so
# that no process gets away by changing its session, its environment or its limits.
my ($prctl, $directory, @command) = @ARGV;
my $SET_CHILD_SUBREAPER = 36;
syscall($prctl + 0, $SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 or exit 125;

sub write_down {
    my ($name, $text) = @_;
    my $file = "$directory/$name";
    open(my $out, '>', "$file.part") or return 0;
    print $out "$text\n";
    close($out);
    # A full disk leaves an empty file, which says that it has ended.
    return rename("$file.part", $file);
}

# The supervisor writes down its identity before the agent starts: a restarted runner looks for it.
open(my $stat, '<', '/proc/self/stat') or exit 125;
my $self = <$stat>;
chomp($self);
write_down('supervisor', $self) or exit 125;

# A signal meant for the agent must not end this; a handler, unlike ignoring it, is not passed on.
$SIG{$_} = sub { } for qw(HUP INT TERM);

my $agent = fork();
exit 125 unless defined $agent;
if (!$agent) {
    # The agent gets a process group of its own: signals to its group do not reach the supervisor.
    setpgrp(0, 0);
    open(STDIN, '<', "$directory/stdin") or exit 125;
    open(STDOUT, '>', "$directory/stdout") or exit 125;
    open(STDERR, '>', "$directory/stderr") or exit 125;
    exec { $command[0] } @command;
    print STDERR "$command[0]: $!\n";
    exit 127;
}
while ((my $ended = waitpid(-1, 0)) > 0) {
    next unless $ended == $agent;
    write_down('exit', $? & 127 ? 128 + ($? & 127) : $? >> 8);
}
