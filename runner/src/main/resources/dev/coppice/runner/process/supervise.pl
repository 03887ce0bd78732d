# Supervises one agent: waits for an order, starts the agent, waits for it whatever becomes of the
# runner, and writes down how it ended; then waits until no process is left below it.
#   perl supervise.pl NUMBERS GROUP [WRAPPER...]
# Nothing but the agent's own program remains to be started when the order comes: the process that
# becomes the agent has been started, and has entered GROUP (the directory of a control group, or
# nothing) or been started by WRAPPER. The order comes on standard input. Without a whole order,
# because the runner has ended, both end and remove the group.
#   perl supervise.pl NUMBERS
# is that process below a WRAPPER. NUMBERS are those of the system calls prctl, setsid and prlimit, and
# the limit on file sizes while there is no order.
#
# An order is ten digits, the length of the rest, and then fields that each end with NUL: directory
# of the run, working directory, limit on file sizes, number of words, words, environment.
my ($numbers, $group, @wrapper) = @ARGV;
my ($prctl, $setsid, $prlimit, $spare) = map { $_ + 0 } split(/,/, $numbers);
my ($SET_CHILD_SUBREAPER, $FILE_SIZE) = (36, 1);
my ($EINTR, $HEAD) = (4, 10);

# Sets a limit on file sizes that no file meets: the mark of a run.
sub mark {
    my ($bytes) = @_;
    my $limit = pack('QQ', $bytes, $bytes);
    syscall($prlimit, 0, $FILE_SIZE, $limit, 0);
}

sub is_readable {
    my $set = '';
    vec($set, fileno(STDIN), 1) = 1;
    return select($set, undef, undef, 0) > 0;
}

# Returns the order, or nothing if there is none or the process that waits for it is gone.
my $is_lost = 0;

sub order {
    my $order = '';
    my $length = $HEAD;
    while (length($order) < $length) {
        my $got = sysread(STDIN, $order, $length - length($order), length($order));
        if (!defined($got) && $! == $EINTR) {
            return if $is_lost && $order eq '' && !is_readable();
            next;
        }
        return unless $got;
        $length = $HEAD + $order if length($order) == $HEAD;
    }
    return $order;
}

sub fields {
    my ($order) = @_;
    my ($directory, $workplace, $bytes, $count, @rest) = split(/\0/, substr($order, $HEAD), -1);
    pop(@rest);
    return ($directory, $workplace, $bytes, [splice(@rest, 0, $count)], \@rest);
}

# Waits for the order and becomes the agent.
sub become_agent {
    my $order = order();
    exit 125 unless defined($order);
    my ($directory, $workplace, $bytes, $command, $environment) = fields($order);
    open(STDIN, '<', "$directory/stdin") or exit 125;
    open(STDOUT, '>', "$directory/stdout") or exit 125;
    open(STDERR, '>', "$directory/stderr") or exit 125;
    if (!chdir($workplace)) {
        print STDERR "cannot enter $workplace: $!\n";
        exit 126;
    }
    mark($bytes);
    %ENV = map { split(/=/, $_, 2) } @$environment;
    exec { $command->[0] } @$command;
    print STDERR "$command->[0]: $!\n";
    exit 127;
}

if (!defined($group)) {
    become_agent();
}

# The mark comes first: an unmarked process in another session would be taken for an agent's orphan.
mark($spare);
syscall($setsid);
syscall($prctl, $SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 or exit 125;

# A signal meant for the agent must not end this; a handler, unlike ignoring it, is not passed on.
$SIG{$_} = sub { } for qw(HUP INT TERM PIPE);
$SIG{CHLD} = sub { $is_lost = 1 };

pipe(my $handed, my $handing) or exit 125;
my $agent = fork();
exit 125 unless defined($agent);
if (!$agent) {
    $SIG{$_} = 'DEFAULT' for qw(HUP INT TERM PIPE CHLD);
    close($handing);
    # The agent gets a process group of its own: signals to its group do not reach the supervisor.
    setpgrp(0, 0);
    if ($group ne '') {
        open(my $entry, '>', "$group/cgroup.procs") or exit 125;
        print $entry "0\n";
        close($entry) or exit 125;
    }
    open(STDIN, '<&', $handed) or exit 125;
    become_agent() unless @wrapper;
    exec(@wrapper, $^X, $0, $numbers) or exit 125;
}
close($handed);

sub write_down {
    my ($name, $directory, $text) = @_;
    my $file = "$directory/$name";
    open(my $out, '>', "$file.part") or return 0;
    print $out "$text\n";
    close($out);
    # A full disk leaves an empty file, which says that it has ended.
    return rename("$file.part", $file);
}

my $order = order();
$SIG{CHLD} = 'DEFAULT';
my $directory;
if (defined($order)) {
    my $sent = 0;
    while ($sent < length($order)) {
        my $wrote = syswrite($handing, $order, length($order) - $sent, $sent);
        next if !defined($wrote) && $! == $EINTR;
        last unless $wrote;
        $sent += $wrote;
    }
    my $bytes;
    ($directory, undef, $bytes) = fields($order);
    mark($bytes);
}
close($handing);
open(STDIN, '<', '/dev/null');
while ((my $ended = waitpid(-1, 0)) > 0) {
    next unless $ended == $agent && defined($directory);
    write_down('exit', $directory, $? & 127 ? 128 + ($? & 127) : $? >> 8);
}
rmdir($group) if $group ne '' && !defined($directory);
